// Compaction without a model, where the user chose it (`[continuity] compaction`): the daemon writes the note that takes
// the place of the client's summary, or stands beside it. Whenever anything is not as it should be, `next(e)` lets the
// client do it as it would without the mod. Never `{skip}`: at the limit of the window that would end the turn.

import { tell } from './daemon.mjs'

const PATH = '/api/continuity/compact'
const KEPT = 20_000
const MOST_PROMPTS = 3
const NOTE = '<holdfast-context '

export function registerCompaction(on) {
  on('session.compact', async ($, e, next) => {
    if (e.agentId || (e.trigger !== 'auto' && e.trigger !== 'manual')) return next(e)
    const kept = last(e.messages)
    const asked = {
      session_id: await $.session.id(),
      trigger: e.trigger,
      messages: e.messages.length,
      prompts: typed(e.messages),
      kept: kept.map(({ text }) => text).join('\n'),
    }
    const told = await tell($, PATH, asked)
    if (told?.answer === 'note' && told.note) {
      return { messages: [{ role: 'user', text: told.note, toolUses: [] }, ...kept] }
    }
    const done = await next(e)
    if (told?.answer !== 'summary' || !done?.messages) return done
    try {
      const summary = done.messages.map(({ text }) => text).join('\n')
      const beside = await tell($, PATH, { ...asked, summary })
      if (beside?.answer !== 'beside' || !beside.note) return done
      return { ...done, messages: [...done.messages, { role: 'user', text: beside.note, toolUses: [] }] }
    } catch {
      return done // the client has compacted already: it is not asked a second time
    }
  }).catch(async ($, e, next) => next(e))
}

/** The last texts that the user typed: what the daemon compares with its journal. */
function typed(messages) {
  const own = messages.filter(({ role, text, toolResults }) => role === 'user' && text && !toolResults?.length)
  return own.map(({ text }) => text).filter((text) => !text.startsWith(NOTE)).slice(-MOST_PROMPTS)
}

/** The last messages, whole, as many as fit into some 20,000 characters; the first is no result whose call is gone. */
function last(messages) {
  let room = KEPT
  let begin = messages.length
  while (begin > 0 && (room -= size(messages[begin - 1])) >= 0) begin -= 1
  while (begin < messages.length && messages[begin].toolResults?.length) begin += 1
  return messages.slice(begin).filter(({ text }) => !text.startsWith(NOTE))
}

function size({ text, toolUses, toolResults }) {
  return text.length + JSON.stringify(toolUses ?? []).length + JSON.stringify(toolResults ?? []).length
}
