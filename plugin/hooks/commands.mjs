// Slash commands that a person types are answered by the program itself, without a turn of the model. Elsewhere (an older
// client, `-p`, a command that a plugin runs) the file in commands/ tells the model what to do.

const SECONDS_10 = 10_000
const LONGEST = 8_000
const ID = /^\[?([a-z0-9][a-z0-9-]{3,})\]?$/i

/** The engine says that a person pressed Enter, so the program is told what it would be told in a terminal of theirs. What
 *  only a person may do (pause, forget) it does here; called by an agent, it refuses. */
const BY_A_PERSON = { CLAUDECODE: '', AI_AGENT: '' }

export function registerCommands(on) {
  const command = [
    'holdfast:corrections',
    'holdfast:forget',
    'holdfast:pause',
    'holdfast:seen',
    'holdfast:status',
    'holdfast:undo',
    'holdfast:why',
  ]
  on('command.run', { command }, async ($, e, next) => {
    if (e.origin.kind !== 'composer') return next(e)
    const { words, hint } = asked(e.command, e.args.split(/\s+/).filter(Boolean), await $.session.id())
    if (words === undefined) return next(e)
    const program = ['sh', `${$.plugin.root}/bin/holdfast`, ...words]
    const { stdout, stderr } = await $.process.run(program, { env: BY_A_PERSON, timeoutMs: SECONDS_10 })
    const said = hint ? `${stdout || stderr}\n${hint}` : `${stdout}${stderr}`
    return { text: shortened(said.replace(/^holdfast: /gm, '').trim()) || 'Nothing.' }
  }).catch(async ($, e, next) => next(e))
}

/** What the program is told: its words, and a hint below its answer; no words, when the model has to help. */
function asked(command, [first, ...more], session) {
  const id = ID.exec(first ?? '')?.[1]
  switch (command) {
    case 'holdfast:why':
      return { words: id && ['why', id] }
    case 'holdfast:undo':
      return { words: id ? ['undo', id, ...more.filter((word) => word === '--over')] : ['undo', '--list'] }
    case 'holdfast:pause':
      if (first === 'off') return { words: ['resume', '--session', session] }
      return { words: ['pause', '--session', session, ...(first ? ['--for', first] : [])], hint: '/holdfast:pause off' }
    case 'holdfast:forget':
      if (id && more[0] === 'yes') return { words: ['forget', id, '--yes'] }
      return { words: id && ['forget', id], hint: `To remove it everywhere: /holdfast:forget ${id} yes` }
    case 'holdfast:seen':
      return { words: ['seen', session] }
    default:
      return { words: [command.replace('holdfast:', '')] }
  }
}

function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text
}
