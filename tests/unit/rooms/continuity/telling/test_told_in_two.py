"""Work that is put off, causes that are ruled out, attempts told in two sentences: the name must be in what is kept."""

from __future__ import annotations

import pytest

from holdfast.rooms.continuity.telling.sentences import LONGEST, statements

NAME = "retry_uploader_417"

PUT_OFF = """
Left for tomorrow: {name}.
Left for tomorrow: `{name}`.
Left for Monday: The rename of {name}.
Saved for the next session: {name} and its docs.
I'm leaving {name} for next week.
Parked until after the release: {name}.
Postponed to the next sprint: splitting {name}.
We pushed {name} to the next release.
{name} can wait until tomorrow.
The docs of {name} are deferred to a follow-up PR.
{name} goes into a separate pull request.
For another day: {name}.
Monday: {name}.
On Friday I pick up {name}.
Deferred: {name}.
Not today: {name}.
Tomorrow, {name}.
That leaves {name} for another day.
Kept for later: the cleanup of {name}.
Put off till after lunch: {name}.
{name} is for next time.
Next: Wire {name} up.
To do: Add tests for {name}.
Tomorrow's job: {name}.
For tomorrow: {name}.
{name} will be tackled on Monday.
Leaving {name} for the next person.
I've left {name} for tomorrow morning.
{name}: next week.
Saving {name} for Thursday.
{name} is tomorrow's problem.
Will look at {name} after the weekend.
Postponed: {name}, until the vendor answers.
Let's do {name} tomorrow.
We'll get to {name} in the next session.
Not in this PR: {name}.
Out of scope for today: {name}.
Carried over to next week: {name} and the docs.
Scheduled for Tuesday: The migration of {name}.
Later today: {name}.
Set aside for a later commit: {name}.
When I'm back: {name}.
In the morning I start with {name}.
"""
DEAD_ENDS = """
It is not {name}: I disabled it and the offset is still wrong.
It's not `{name}`: the leak is the same with it switched off.
It isn't the {name}; I emptied it and still got the stale page.
It wasn't {name}. We took it out and nothing changed.
The cause is not {name}: without it the timeout persists.
It can't be {name}: it also happens with the flag off.
That's not {name} - I stubbed it and the crash is the same.
So it is not the scheduler {name}: I turned it off and jobs still go missing.
The bug isn't in {name}. I swapped in the old one and it fails the same way.
It could not be {name}; I bypassed it, same error.
Gave {name} a try. The mailer refuses to start with it.
Gave {name} a quick spin. It chokes on empty rows.
Tried {name}. No luck.
I tried {name} first. That deadlocks under load.
We experimented with {name}. The build won't link with it.
Had a go at {name}. It never got past the handshake.
My first idea was {name}. It doesn't support streaming.
Swapped in {name}. Same timeout.
Raised {name} to 30 s. No difference.
Switched the pool to {name}. The worker crashes with it.
Reached for {name}. Too slow, and it cannot handle unicode.
Not {name}: unplugged it, and the numbers are as wrong as before.
It is not caused by {name}: with it commented out, the test is as flaky as ever.
It's definitely not {name}. Removed it; still drops frames.
The culprit isn't {name}, since the drift is there with a fresh one too.
I suspected {name}. Turned it off. Still wrong.
{name} is not to blame: the same thing happens on a box that never had it.
{name} isn't the cause. Took it out, problem remains.
It was not {name} after all: pulled it and the memory still climbs.
Checked {name}: not the reason, the delay is identical without it.
This is not {name}'s doing: we replaced it with a stub and the hang stayed.
Took {name} for a spin. Its output is garbage for anything over 2 GB.
Tried out {name}. The linker does not like it.
Let me note that I tried {name}. It won't build on arm64.
We gave {name} a chance. Half of the requests time out.
Attempted to use {name}. It needs a kernel we do not have.
I put {name} in. The mailer would not start.
Went with {name} at first. Turned out it locks the table.
Tried `{name}` as a drop-in. Nothing compiles any more.
Experimented with {name} for an hour. The results were no better than before.
Installed {name}. The service does not come up with it.
Tried wiring {name} in: the mailer refuses to start.
Tried {name}! Sadly, the parser throws on the first line.
"""
NEITHER = """
It is not urgent: the nightly run covers it.
It is not urgent: I checked and the old job still runs.
It is not a bug: the specification says so.
It is not the final name: we can change it any time.
It is not that simple.
Gave it a try and it works.
Gave {name} a try. It works with the old client, too.
Tried {name}. The tests pass with it.
Tried {name}. It no longer crashes.
Tested {name}. Nothing fails without it.
Added {name} to the schema. It rejects empty names.
Set {name} to 30. The lock is held for a second.
Enabled {name}. Bad rows are rejected with a message.
Failed jobs are postponed until the next run.
The retry is scheduled for the next tick.
The cleanup is deferred until the transaction ends.
Parsing is put off until the first read.
The reminder is sent on Monday.
The parser was moved to another module.
The item is saved for later in the cart.
The job runs on Monday and on Friday.
The counter is set to the next value.
The window moves to the next day at midnight.
It is not urgent: I left the flag off and nothing is wrong.
It is not needed: I removed it and all tests pass.
It isn't slow: I measured it with 10,000 rows.
It is not the same file: this one has a header.
It's not a problem: the lock is still held by the caller.
This is not a breaking change: old clients still work with it.
It is not a race: the lock is taken before the check.
Tried it with three browsers. All of them show the page.
Gave it a try. Works.
Tried {name}. That fixed the leak.
Tested the retry. It fails fast and never blocks the queue.
Tested the limits. The 101st request is refused, as it should be.
Set the timeout to 5 s. The same value is used by the importer.
Wrapped the call in a lock. No two workers run at once now.
Replaced the list with a set. No order is needed there.
Switched to UTC. The same rule holds for the logs.
The meeting is on Monday.
Old entries are moved to the next version of the table.
The token is kept until the next session.
A failed upload waits until the next session of the user.
Messages stay in the queue until tomorrow at most.
The flag is meant for the next release notes.
"""


def lines(table: str) -> list[str]:
    return [line.replace("{name}", NAME) for line in table.strip().splitlines()]


@pytest.mark.requirement("CON-15")
def test_the_name_is_kept_when_work_is_put_off_a_cause_ruled_out_or_an_attempt_fails() -> None:
    wrong = [
        (kind, line, statements(line))
        for kind, table in (("next_step", PUT_OFF), ("dead_end", DEAD_ENDS))
        for line in lines(table)
        if not any(stated == kind and NAME in text for stated, text in statements(line))
    ]
    assert wrong == []


@pytest.mark.requirement("CON-15")
def test_what_went_well_or_is_what_a_program_does_is_neither_a_dead_end_nor_a_next_step() -> None:
    said = [(line, dict(statements(line))) for line in lines(NEITHER)]
    taken = [(line, found) for line, found in said if {"dead_end", "next_step"} & set(found)]
    assert taken == []


@pytest.mark.requirement("CON-15")
def test_two_sentences_make_one_statement_and_what_stands_around_them_stays() -> None:
    told = f"We decided to keep the queue. Tried {NAME}. No luck. Next: document the limits of it."
    assert statements(told) == [
        ("decision", "We decided to keep the queue."),
        ("dead_end", f"Tried {NAME}. No luck."),
        ("next_step", "Next: document the limits of it."),
    ]
    assert statements(f"## Next steps\n- Tried and tested {NAME} docs\n- It still fails")[0][0] == "next_step"
    ((_, long),) = statements(f"Tried {NAME} {'again and ' * 60}again. It still hangs with it.")
    assert len(long) <= LONGEST
