// Tells the daemon that a turn is over. After Esc, and after a question that was answered with no, the client fires no hook
// (2.1.325): without this the agent would be shown as working until somebody looks. Nothing here is part of a turn.

import { tell } from './daemon.mjs'

export function registerTurns(on) {
  on('turn.complete', async ($, e, next) => {
    const done = await next(e)
    if (!e.agentId) await tell($, '/api/fleet/turn', { reason: e.reason })
    return done
  }).catch(async ($, e, next) => next(e))
}
