// A small live pane beside the conversation: what holdfast says of itself, of this turn and of its rooms, and how full the
// context window is. It is opened and closed by /holdfast:pane. While it is open the daemon is asked every two seconds,
// outside of any turn; while it is closed nothing runs. No hook here is part of a turn.

import { ask } from './daemon.mjs'

const PANE = { id: 'holdfast', title: 'holdfast' }
const PERIOD = 2000
const AWAY = [{ title: 'holdfast', lines: ['the daemon does not answer: try `holdfast doctor`'] }]

let parts = []
let ticking

export function registerPane(on) {
  on('command.run', { command: 'holdfast:pane' }, async ($) => {
    const isOpen = (await $.ui.panes()).some((pane) => pane.id === PANE.id)
    if (isOpen) {
      await $.ui.close({ id: PANE.id })
      return { text: 'The pane of holdfast is closed.' }
    }
    await refresh($)
    const opened = await $.ui.open(PANE)
    ticking?.cancel()
    ticking = $.clock.every(PERIOD, () => refresh($))
    return { text: opened.isPlaced ? 'The pane of holdfast is open.' : `The pane of holdfast waits: ${opened.reason}.` }
  }).catch(async ($, e, next) => next(e))

  on('ui.close', async ($, e, next) => {
    const closed = await next(e)
    if (e.id === PANE.id) stop()
    return closed
  }).catch(async ($, e, next) => next(e))

  on('ui.render', { component: 'Pane' }, async ($, e, next) => {
    if (e.requestId !== PANE.id) return next(e)
    const { Box, Text } = $.ui.resolve(e)
    const rows = parts.flatMap(({ title, lines }) => [
      h(Text, { bold: true }, title),
      ...lines.map((line) => h(Text, { wrap: 'truncate' }, `  ${line}`)),
    ])
    return h(Box, { flexDirection: 'column' }, ...rows)
  }).catch(async ($, e, next) => next(e))
}

function stop() {
  ticking?.cancel()
  ticking = undefined
}

async function refresh($) {
  const [told, context] = await Promise.all([ask($, '/api/pane'), contextLine($)])
  const now = (Array.isArray(told) ? told : AWAY).concat(context)
  if (JSON.stringify(now) === JSON.stringify(parts)) return
  parts = now
  $.ui.invalidate('ui.render')
}

/** How full the context window is, as the client knows it; nothing before the first answer. */
async function contextLine($) {
  try {
    const { context } = await $.session.usage()
    if (context.tokens === undefined) return []
    const share = context.percent === undefined ? '' : ` (${context.percent} %)`
    return [{ title: 'context', lines: [`${context.tokens} of ${context.window} tokens${share}`] }]
  } catch {
    return []
  }
}
