// The part of holdfast's plugin that runs inside Claude Code (2.1.287 and newer): a pane, slash commands that are
// answered without a turn of the model, compaction where the user chose it, and the word that a turn is over. Whatever
// fails here leaves the session as it would be without the mod.
//
// Each thing the mod does is a file of its own with a function that registers it.

import { registerCommands } from './commands.mjs'
import { registerCompaction } from './compaction.mjs'
import { registerPane } from './pane.mjs'
import { registerTurns } from './turns.mjs'

export function register(on) {
  registerPane(on)
  registerCommands(on)
  registerCompaction(on)
  registerTurns(on)
}
