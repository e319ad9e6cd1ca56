"""Which names promise a secret: `client_secret`, `DB_PASSWORD`, `apiKeyProd`; not `max_tokens` nor `cache_key`.
Serves text (`name = value`) and objects (`{"name": value}`) alike.
"""

import re

from .rules import Keys

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
LONGEST = 64
CACHED = 4096


class KeyNames:
    """Judges names, and remembers the verdicts on the short ones."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._known: dict[str, str] = {}

    def kind(self, name: str) -> str:
        """`password`, `token`, `strong` (weak evidence, so the value must be strong), or nothing."""
        if len(name) > LONGEST:
            return ""
        verdict = self._known.get(name)
        if verdict is None:
            verdict = self._judge(name)
            if len(self._known) >= CACHED:
                self._known.clear()
            self._known[name] = verdict
        return verdict

    def _judge(self, name: str) -> str:
        words = [word.lower() for word in WORD.findall(name)]
        while len(words) > 1 and (words[-1] in self._keys.trailing or words[-1].isdigit()):
            words.pop()
        tails = [" ".join(words[-count:]) for count in (3, 2, 1) if count <= len(words)]
        if any(tail in self._keys.never for tail in tails):
            return ""
        for tail in tails:
            if tail in self._keys.password:
                return "password"
            if tail in self._keys.token:
                return "token"
        return "strong" if any(tail in self._keys.strong for tail in tails) else ""
