// The part of holdfast's plugin that runs inside Claude Code (2.1.287 and newer): a pane, and slash commands that are
// answered without a turn of the model. Whatever fails here leaves the session as it would be without the mod.
//
// Each thing the mod does is a file of its own with a function that registers it. A further one (compaction) is one more
// file and one more line below.

import { registerCommands } from './commands.mjs'
import { registerPane } from './pane.mjs'

export function register(on) {
  registerPane(on)
  registerCommands(on)
}
