"""How Dutch corrects. Folded: no accents, small letters. Pure."""

from __future__ import annotations

from holdfast.events.corrections.language import WORD, Language, pattern

_NL_VERB = r"(?!(?:deze|geen|een|tussen|boven|buiten|binnen|tegen|samen|alleen|eigen|open|bestanden)\b)[a-z]{2,}en"
"""An infinitive, as orders are given with: "nooit hernummeren"."""
_NL_ORDER = (
    r"(?:gebruik|schrijf|zet|laat|doe|maak|draai|noem|roep|voeg|haal|bewaar|vraag|test|controleer|antwoord|documenteer"
    r"|sorteer|installeer|verwijder|verander|wijzig|commit|push|merge|rond|houd|hou)"
)
_HINTS = """
nee niet nooit geen altijd voortaan vanaf gebruik we wij de het een en met is op voor in te van dat die hier alleen
stop vermijd liever fout verkeerd gezegd gevraagd vergeten onthoud let
"""
DUTCH = Language(
    hints=frozenset(_HINTS.split()),
    reminds=pattern(r"(?:onthoud|ter\ herinnering|let\ op|belangrijk|trouwens)\b[:,]?\ "),
    lead=pattern(
        r"(?:(?:nee+|ja|ok|oke|okay|goed|prima|top|mooi|super|bedankt|dank\ je|fijn|stop|hee?|dus|en|maar|ook|graag"
        r"|alsjeblieft|aub|nog\ iets|trouwens|belangrijk|let\ op|onthoud|liever|ps)\b[,.!:]*\ +)"
    ),
    no=pattern(r"(?:(?:nee+|fout|verkeerd)\b[,.!: ]+)+(?<=[,.!:]\ )"),
    rule=pattern(
        rf"""
        nooit\ (?!eerder\b|gezien\b|geweten\b|gehoord\b|gedacht\b)(?:\S+\ ){{0,8}}?{_NL_VERB}\b
      | nooit\ (?:meer\ )?(?:zomaar\ |direct\ |iets\ )?(?:in|op|naar|via|met|zonder|tijdens|voor)\ \S
      | niet\ (?:meer\ |zomaar\ |steeds\ |zelf\ )?(?:\S+\ ){{0,6}}?{_NL_VERB}[.!]*$
      | geen\ (?:\S+\ ){{1,6}}?(?:{_NL_VERB}[.!]*$|(?:in|op|zonder|bij|voor|tijdens)\ \S+)
      | altijd\ (?!nog\b|al\b|weer\b|rood\b|stuk\b|dezelfde|hetzelfde)(?:\S+\ ){{0,8}}?{_NL_VERB}\b
      | altijd\ (?:eerst|met|via|op|in|zonder)\ \S
      | (?:voortaan|vanaf\ (?:nu|vandaag)|in\ het\ vervolg|de\ volgende\ keer|in\ de\ toekomst)\b,?\ \S+\ \S
      | {_NL_ORDER}\ (?:{WORD}\ ){{0,6}}?(?:nooit|altijd|niet|geen)\b
      | {_NL_ORDER}\ (?:{WORD}\ ){{1,8}}?(?:in\ plaats\ van|ipv|en\ niet)\b
      | (?:stop\ met|vermijd)\ (?!(?:de|het|dat|dit)\b)\S
      | (?:je\ )?(?:mag|moet)\ (?:\S+\ ){{0,5}}?(?:nooit|altijd|niet|geen)\b
      | laat\ (?:{WORD}\ ){{1,8}}?(?:met\ rust|zoals\ (?:het|ze|die))\b
        """
    ),
    inside=pattern(
        r"""
        \b(?:we|wij)\ (?!hebben\b|zien\b|weten\b|hadden\b|zijn\b|waren\b|konden\b|kunnen\b|kennen\b|vinden\b|krijgen\b)
            [a-z]+en\ (?:\S+\ ){0,6}?(?:nooit|altijd|alleen|nergens)\b(?!\ (?:nog|weer)\b)
      | \b(?:hier|bij\ ons|in\ (?:dit|deze)\ (?:project|repo|codebase|team))\ (?:\S+\ ){1,5}?(?:nooit|altijd|geen
            |niet)\b
        """
    ),
    ruled=pattern(r"\b(?:nooit|altijd|niet\ meer|geen|in\ plaats\ van|mag|mogen|moet|moeten|alleen)\b"),
    repair=pattern(
        r"""
        (?:niet\ zo|zo\ niet)[,:]\ \S+\ \S
      | (?:dat|dit)\ (?:is|was)\ (?:fout|verkeerd|onjuist|niet\ wat)\b[^,:]{0,30}[,:]?\ \S+\ \S
      | (?:nee,?\ )?(?:zoals\ )?ik\ (?:heb\ |had\ )?(?:je\ )?(?:al\ )?(?:zei|gezegd|vroeg|gevraagd|bedoelde|bedoel)\b
      | je\ (?:bent|hebt)\ (?:\S+\ ){0,3}?(?:vergeten|genegeerd|gemist)\b
        """
    ),
    wrong=pattern(
        r"(?:de|het|een|dat|dit|die|deze|ik|je|niet|gebruik|laat|alleen|zet|haal|weg|liever|hier|we|wij|moet)\b"
        r"(?=(?:\ \S+){2})"
    ),
    asks=pattern(
        r"(?:waarom|wat\b|wanneer|waar\b|wie\b|hoe\b|welke?|kun|kan\b|kunnen\ we|zou|zouden|moeten\ we"
        r"|is\ (?:er|het|dat)|zijn\ er|als\b|leg\ uit|heb\ je|hebben\ we|denk\ je)"
    ),
    neither=pattern(
        r"""\b(?:ik\ weet\ (?:het\ )?niet|niet\ (?:erg|zeker|nodig|gevonden)|geen\ (?:probleem|idee|haast|zorgen|punt)
            |maakt\ niet\ uit|je\ hebt\ gelijk|mijn\ fout|nee,?\ (?:bedankt|dank\ je|hoeft\ niet|laat\ maar)
            |werkt\ niet|doet\ het\ niet|nog\ niet|ik\ (?:heb|had)\ nooit|zegt\ dat|zei\ dat|faalt)\b"""
    ),
)
