"""Word lists for the index: words that say nothing about a subject, and irregular forms of common words.

Data only. Regular endings are the stemmer's business. English words are dropped; those of other languages
(`words_abroad`) are kept, because some are English words, too, and count little.
"""

from __future__ import annotations

from holdfast.recall.words_abroad import GENERAL_ABROAD, TIMES_ABROAD

_STOP = """
a about above after again against all also although always am an and another any anybody anyone anything are aren't
around as at away back be because been before being below between both but by came can can't cannot come could
couldn't did didn't do does doesn't doing don don't done down during each either else even ever every everything few
for from further get gets getting give given go goes going gone got had hadn't has hasn't have haven't having he her
here hers herself hey hi him himself his how however i if in into is isn't it it's its itself just kind know knows
let lets like likely ll lot lots make makes many me might mine more most much must my myself need needs neither
never no nor not now of off oh ok okay on once one only onto or other others ought our ours ourselves out over own
per please quite rather re really s said same say says see seem seemed seems she should shouldn't since so some
somebody someone something still such sure t take than thank thanks that that's the their theirs them themselves then
there these they thing things this those though through thus to together too toward towards under until up upon us
use used uses using ve very want wanted wants was wasn't way we well went were weren't what what's whatever when where
whether which while who whom whose why will with within without won't would wouldn't yeah yes yet you your yours
yourself yourselves
"""

STOP = frozenset(_STOP.split())
"""Dropped from items and questions alike."""

_IRREGULAR = """
be: am is are was were been being
begin: began begun
bite: bit bitten
blow: blew blown
break: broke broken
bring: brought
build: built
buy: bought
catch: caught
choose: chose chosen
come: came
deal: dealt
dig: dug
draw: drew drawn
dream: dreamt
drink: drank drunk
drive: drove driven
eat: ate eaten
fall: fell fallen
feed: fed
feel: felt
fight: fought
find: found
fly: flew flown
forget: forgot forgotten
forgive: forgave forgiven
freeze: froze frozen
give: gave given
grow: grew grown
hang: hung
hear: heard
hide: hid hidden
hold: held
keep: kept
lay: laid
lead: led
learn: learnt
leave: left
lend: lent
light: lit
lose: lost
mean: meant
meet: met
pay: paid
ride: rode ridden
ring: rang rung
rise: rose risen
run: ran
see: saw seen
seek: sought
sell: sold
send: sent
shake: shook shaken
shine: shone
shoot: shot
show: shown
shrink: shrank shrunk
sing: sang sung
sink: sank sunk
sit: sat
sleep: slept
slide: slid
speak: spoke spoken
spend: spent
spin: spun
stand: stood
steal: stole stolen
stick: stuck
strike: struck
swear: swore sworn
sweep: swept
swim: swam swum
swing: swung
take: took taken
teach: taught
tear: tore torn
tell: told
think: thought
throw: threw thrown
understand: understood
wake: woke woken
wear: wore worn
weep: wept
win: won
wind: wound
write: wrote written
child: children
foot: feet
goose: geese
index: indices indexes
knife: knives
leaf: leaves
life: lives
man: men
mouse: mice
person: people persons
shelf: shelves
tooth: teeth
vertex: vertices
wife: wives
woman: women
good: better best
bad: worse worst
"""

BASE: dict[str, str] = {
    form: base
    for line in _IRREGULAR.strip().splitlines()
    for base, _, forms in [line.partition(":")]
    for form in forms.split()
}
"""An irregular form → its base form."""

_GENERAL = """
able accept actually add again ago agree allow almost already alright amazing answer apply ask available awesome bad
basically begin believe belong best better big bigger bit body bottom branch brief bring bug bullet bunch call cancel
care case catch cause change check choose clean clear close code command comment commit common compare complete
concise consider contain continue convert cool copy correct could couple course create current day deal decide default
delete describe detail develop difference different do doc docs document draft drop edit elaborate else end enough
ensure error exact exactly example excite execute exist exit expect explain fact fail family faster feel file fill
final find fine finish first five fix folder follow form forward four friend front full fun function git github good
great guess guide half hand handle happen happy hard hear hello help high hmm hold hope hour idea implement important
improve include instead interest issue job join keep kick last later latest learn leave less lgtm life line list
little live long longer look lose love low main manage matter maybe mean meet mention merge message method mind minute
miss module month morning move name near new next nice night nope note notice number offer old open option order
output
page paragraph part pass past people perfect perhaps person pip place plain plan play point possible print problem
proceed process produce program project provide pull push put python question quick quickly quit read ready real
reason recent recommend redo refactor release remember remove rename repeat rephrase replace report request rest
result resume retry return revert review rewrite right rule run save script second section seem send sense sentence
session set ship short shorter shot show side simple simpler single skip slower small smaller soon sort sound special
specific start state stay step stop story string stuff style success suggest summarise summarize super support suppose
system talk task tell ten test text think thought three time tip tldr today tomorrow tonight top total touch translate
tried trouble true try turn twice two type typo understand undo update useful user value variable verbose version view
wait walk watch week weekend whole wish wonder wonderful word work world write wrong year yep yesterday
arent asap btw cant couldnt didnt doesnt dont fyi gonna gotta hasnt havent hows idk im imo isnt ive kinda min mins pls
plz sec secs shouldnt thats theres theyre thx ty ur wanna wasnt werent whats wheres whos wont wouldnt youre
"""

GENERAL = frozenset(_GENERAL.split()) | GENERAL_ABROAD
"""Words of any conversation and any request: they find things, but are no proof that something fits."""

_TIMES = """
yesterday today tomorrow ago week month year weekend monday tuesday wednesday thursday friday saturday sunday january
february march april june july august september october november december recently tonight night morning last next
"""

TIMES = frozenset(_TIMES.split()) | TIMES_ABROAD
"""Words that name a time."""
