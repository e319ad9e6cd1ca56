// Tells the daemon that a turn is over. After Esc, and after a question that was answered with no, the client fires no hook
// (2.1.325): without this the agent would be shown as working until somebody looks. The turn does not wait for
// the daemon.

import { tell } from './daemon.mjs'

export function registerTurns(on) {
  on('turn.complete', async ($, e, next) => {
    if (!e.agentId) void tell($, '/api/fleet/turn', { reason: e.reason }) // nobody waits for it, and it never fails
    return next(e)
  }).catch(async ($, e, next) => next(e))
}
