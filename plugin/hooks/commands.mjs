// Slash commands that a person types are answered by the program itself, without a turn of the model. Elsewhere (another
// client, `-p`, a command that a plugin runs) the file in commands/ tells the model what to do.

const SECONDS_10 = 10_000
const LONGEST = 8_000

/** Each command: what the program is told, from the words behind the command's name and the session's id. */
const COMMANDS = {
  'holdfast:status': () => ['status'],
  'holdfast:seen': () => ['seen'],
  'holdfast:why': ([id]) => (id ? ['why', id] : undefined),
  'holdfast:corrections': () => ['corrections'],
  'holdfast:undo': ([id, ...more]) => (id ? ['undo', id, ...more] : ['undo', '--list']),
  'holdfast:pause': ([length], session) => paused(length, session),
  'holdfast:forget': ([id, sure]) => (id && sure === 'yes' ? ['forget', id, '--yes'] : undefined),
}

/** The engine says that a person pressed Enter. So the program is told what it would be told in a terminal of theirs: what
 *  only a person may do (pause, forget) it does here, and for an agent's call it does not. */
const BY_A_PERSON = { CLAUDECODE: '', AI_AGENT: '' }

export function registerCommands(on) {
  for (const [command, words] of Object.entries(COMMANDS)) {
    on('command.run', { command }, async ($, e, next) => {
      if (e.origin.kind !== 'composer') return next(e)
      const asked = words(e.args.split(/\s+/).filter(Boolean), await $.session.id())
      if (asked === undefined) return next(e)
      const program = ['sh', `${$.plugin.root}/bin/holdfast`, ...asked]
      const { stdout, stderr } = await $.process.run(program, { env: BY_A_PERSON, timeoutMs: SECONDS_10 })
      const said = `${stdout}${stderr.replace(/^holdfast: /, '')}`.trim()
      return { text: said.length > LONGEST ? `${said.slice(0, LONGEST)}\n…` : said || 'Nothing.' }
    }).catch(async ($, e, next) => next(e))
  }
}

function paused(length, session) {
  if (length === 'off') return ['resume', '--session', session]
  return ['pause', '--session', session, ...(length ? ['--for', length] : [])]
}
