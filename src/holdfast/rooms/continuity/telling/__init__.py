"""What a conversation was about: facts from events and from what was said, chosen and written within a budget.

Read it in this order: `sentences` (with `dead_ends`, `decisions` and `next_steps`) and `identifiers` (what a text
says), `folding` (an event as facts), `undoing` (attempts that were taken back), `story` (the facts of one
conversation), `note` (facts as text within a budget), `losses` (what a summary does not say), `wording`
(the sentences that agents and people read). All pure.
"""
