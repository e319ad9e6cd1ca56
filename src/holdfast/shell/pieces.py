"""Cuts a line into its statements without the grammar: by quotes, brackets and reserved words alone.

tree-sitter-bash 0.25 cannot read some lines that a shell reads well (`[ -d ~ ] && rm -rf ~`, `case … ;& … esac`,
`echo = ==`), and then what it says of the rest of the line is a guess. A statement by itself it reads far more often.
One pass, linear; what stands in brackets and quotes is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

PieceKind = Literal["word", "redirect", "test", "pipe", "link", "end", "edge", "head", "name"]
"""A word; a redirection's sign; `[[ … ]]` or `(( … ))`; `|`; `&&`, `||`; `;`, `&` or a line's end; a reserved word or
bracket around statements; what stands behind `for`, `select` or `case`; the name of a function that is defined."""

_BLANK = re.compile(r"(?:[ \t\r\f\v]|\\\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_END = re.compile(r";;&|;&|;;|;|\n|&(?![&>])")
_LINK = re.compile(r"&&|\|\|")
_REDIRECT = re.compile(r"(?:\d+|\{\w+\})?(?:<<<|<&-?|>&-?|<>|>>|>\||<(?!\()|>(?!\())|&>>?")
_PLAIN = re.compile(r"[^\s;&|<>()'\"\\$`]+")
_OPENER = re.compile(r"\$\(\(|\$\(|\$\{|\$\[|\$'|\$\"|['\"`]|[<>]\(")
_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=\Z")
_SIGNS = re.compile(
    r"""\\.|\$\(\(|\$\(|\$\{|\$'|['"`(){}]|(?<![^\s;&|(])case\s+(?:"[^"\n]{0,200}"|[^\s;&|()"]){1,200}\s+in\b|"""
    r"""(?<![^\s;&|(])esac\b|(?<![^\s;&|()])#""",
    re.DOTALL,
)
"""Where the reading of what stands in brackets changes."""
_BETWEEN = re.compile(r"(?:[\s;&|<>()]|\\\n)+")
_ESAC = re.compile(r"esac(?![^\s;&|)])")
_NO_ARGUMENTS = re.compile(r"\([ \t]*\)")
_FUNCTION = re.compile(r"[ \t]+([^\s;&|<>(){}]+)[ \t]*(?:\([ \t]*\))?")
_NAMED = re.compile(r"[ \t]+[A-Za-z_]\w*[ \t]+(?=[({])")
_INNER = re.compile(r"""\\.|\$\(\(|\$\(|\$'|['"`]|[<>]\(""", re.DOTALL)
_SET = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
_IN = re.compile(r"\s*in(?=\s)")
_OPENS = frozenset({"if", "while", "until", "for", "select", "case", "{"})
_GOES_ON = frozenset({"then", "else", "elif", "do"})
_CLOSES = frozenset({"fi", "done", "esac", "}"})
_BEFORE = frozenset({"!", "time", "coproc", "function"})
"""Reserved words behind which a command goes on."""


_TRIES = 8
_FAR = 1_000
"""Signs behind which looking in vain counts as one try more: one long look is as dear as many short ones."""
_DEEPEST = 12
MOST = 8_000
"""Tokens of a line that are read."""
PLAIN_WORD = re.compile(
    r"(?!(?:if|then|else|elif|fi|for|select|while|until|do|done|case|esac|in|function)\Z)[\w./:@%+,-]+\Z"
)
_COMPUTED = re.compile(r"[$`(\x00]")
_INSIDE = re.compile(r"[$`(){}\[\]<>|\x00]")


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the line, and how many compound commands it stands in; an edge counts as inside."""

    kind: PieceKind
    text: str
    start: int
    end: int
    depth: int


@dataclass(slots=True)
class _Lexer:
    text: str
    found: list[Token]
    closers: list[str]
    first: bool = True
    """Does a command begin here?"""
    pattern: bool = False
    """Does a pattern of `case` begin here?"""
    tries: int = _TRIES
    """How many more times the end of something is looked for in vain."""
    steps: int = 0
    """What it has cost: tokens, and signs that were passed over."""

    def add(self, kind: PieceKind, start: int, end: int, depth: int | None = None) -> int:
        held = len(self.closers) if depth is None else depth
        self.steps += 1
        self.found.append(Token(kind, self.text[start:end], start, end, held))
        return end

    def passed(self, at: int, closer: str = "") -> int:
        """Where the quotation or substitution that begins at `at` ends, or what ends with `closer`. 0: nothing ends
        it, or too many others had no end."""
        if self.tries <= 0:
            return 0
        if not closer:
            found = _OPENER.match(self.text, at)
            at, closer = (found.end(), _CLOSER.get(found[0], found[0])) if found else (at, "")
        end, steps = _passed(self.text, at, closer)
        self.steps += steps
        if not end:
            self.tries -= 1 + steps // _FAR
        return end

    def word_end(self, at: int) -> int:
        """Where the word that begins here ends. Always behind `at`. A quotation that nothing closes hides nothing: what
        stands behind it is read as if it were not quoted."""
        text, start, end = self.text, at, len(self.text)
        while at < end:
            if found := _PLAIN.match(text, at):
                at = found.end()
            elif text[at] == "\\":
                at = min(at + 2, end)
            elif found := _OPENER.match(text, at):
                if found[0][0] in "<>" and at > start:
                    break
                at = self.passed(at) or at + 1
            elif text[at] == "$":
                at += 1
            elif text[at] == "(" and at > start and _holds_bracket(text, start, at):
                at = self.passed(at + 1, ")") or at + 1
            else:
                break
        return max(at, start + 1)

    def arithmetic(self, at: int) -> int:
        """Where `(( … ))` ends; 0 when these are two subshells."""
        end = self.passed(at + 2, ")")
        if end and self.text.startswith(")", end):
            return end + 1
        self.tries -= 1
        return 0


def tokens(text: str) -> tuple[Sequence[Token], bool]:
    """All tokens of a line, comments left out, and whether all that it opens is closed. Of a line with too many, the
    first."""
    lexer = _read(text)
    return lexer.found, lexer.tries == _TRIES and not lexer.closers and len(lexer.found) < MOST


def cost(text: str) -> int:
    """In how many steps these tokens are found."""
    return _read(text).steps


def weight(found: Sequence[Token]) -> int:
    """How much the grammar has to do with these tokens: their number, with the signs inside words. Plain words cost it
    little."""
    signs = [token.text for token in found if token.kind != "word" or not PLAIN_WORD.match(token.text)]
    inside = sum(len(_INSIDE.findall(text)) for text in signs if _COMPUTED.search(text))
    return len(signs) + inside + (len(found) - len(signs)) // 8


@lru_cache(maxsize=8)
def _read(text: str) -> _Lexer:
    """Several ask for the tokens of one text, one after the other. Nobody changes them."""
    lexer = _Lexer(text, [], [])
    at, end = 0, len(text)
    while at < end and len(lexer.found) < MOST:
        if found := _BLANK.match(text, at) or _COMMENT.match(text, at):
            at = found.end()
        elif lexer.pattern and text[at] != "\n":
            lexer.pattern = False
            if stop := _pattern(lexer, at):
                lexer.first = True
                at = lexer.add("edge", at, stop)
        elif found := _END.match(text, at):
            lexer.first = True
            lexer.pattern = lexer.pattern or (found[0] in (";;", ";&", ";;&") and "esac" in lexer.closers)
            at = lexer.add("end", at, found.end())
        elif found := _LINK.match(text, at):
            lexer.first = True
            at = lexer.add("link", at, found.end())
        elif text[at] == "|":
            lexer.first = True
            at = lexer.add("pipe", at, at + (2 if text.startswith("|&", at) else 1))
        elif found := _REDIRECT.match(text, at):
            at = lexer.add("redirect", at, found.end())
        elif text[at] in "()":
            at = _bracket(lexer, at)
        else:
            at = _word(lexer, at)
    return lexer


def _pattern(lexer: _Lexer, at: int) -> int:
    """Where the pattern of a branch of `case` ends, its bracket included; 0 when none begins here."""
    text = lexer.text
    place = at + 1 if text[at] == "(" else at
    if _ESAC.match(text, place):
        return 0
    while place < len(text) and lexer.tries > 0:
        if text[place] == ")":
            return place + 1
        if text[place] in ";&<>\n":
            break
        blank = _BLANK.match(text, place)
        place = blank.end() if blank else (place + 1 if text[place] in "|(" else lexer.word_end(place))
    lexer.tries -= 1
    return 0


def _bracket(lexer: _Lexer, at: int) -> int:
    text = lexer.text
    if text[at] == ")":
        lexer.first = False
        if ")" in lexer.closers:
            depth = len(lexer.closers)
            while lexer.closers.pop() != ")":
                pass
            return lexer.add("edge", at, at + 1, depth)
        return lexer.add("edge", at, at + 1)
    if text.startswith("((", at) and (stop := lexer.arithmetic(at)):
        lexer.first = False
        return lexer.add("test", at, stop)
    if not lexer.first and lexer.found and (end := _NO_ARGUMENTS.match(text, at)):
        last = lexer.found.pop()  # `name ()`
        lexer.found.append(Token("name", last.text, last.start, last.end, last.depth + 1))
        lexer.first = True
        return lexer.add("edge", at, end.end(), last.depth + 1)
    lexer.closers.append(")")
    lexer.first = True
    return lexer.add("edge", at, at + 1)


def _word(lexer: _Lexer, at: int) -> int:
    text = lexer.text
    end = lexer.word_end(at)
    word = text[at:end]
    if not lexer.first:
        return lexer.add("word", at, end)
    depth = len(lexer.closers)
    if word in _OPENS:
        behind = [token.kind for token in lexer.found[-2:] if token.kind != "end"]
        if word == "{" and behind[-1:] == ["head"] and lexer.closers[-1:] == ["done"]:
            lexer.closers.pop()  # `for x in a b; { …; }`
        lexer.closers.append({"if": "fi", "case": "esac", "{": "}"}.get(word, "done"))
        lexer.add("edge", at, end)
        if word in ("for", "select", "case"):
            return _head(lexer, end, word)
        return end
    if word in _GOES_ON:
        return lexer.add("edge", at, end)
    if word in _CLOSES:
        lexer.first = False
        lexer.pattern = False
        if word in lexer.closers:
            while lexer.closers.pop() != word:
                pass
        return lexer.add("edge", at, end, depth)
    if word == "[[" and (stop := _test_end(lexer, end)):
        lexer.first = False
        return lexer.add("test", at, stop)
    if word == "coproc" and (name := _NAMED.match(text, end)):
        lexer.add("edge", at, end)
        return name.end()
    if word == "function":
        name = _FUNCTION.match(text, end)
        if name:
            lexer.add("name", name.start(1), name.end(1), depth + 1)
            return lexer.add("edge", name.end(), name.end(), depth + 1)
    lexer.first = word in _BEFORE or (word == "-p" and bool(lexer.found) and lexer.found[-1].text == "time")
    lexer.first = lexer.first or _SET.match(word) is not None
    return lexer.add("word", at, end)


def _test_end(lexer: _Lexer, at: int) -> int:
    """Where `[[ … ]]` ends; 0 when it does not."""
    text, start = lexer.text, at
    while lexer.tries > 0 and at < min(len(text), start + _FARTHEST):
        if (found := _BETWEEN.match(text, at)) is not None:
            at = found.end()
            continue
        end = lexer.word_end(at)
        if text[at:end] == "]]":
            return end
        at = end
    lexer.tries -= 1
    return 0


def _head(lexer: _Lexer, at: int, word: str) -> int:
    """What stands behind `for`, `select` and `case`, up to where its statements begin."""
    text, place = lexer.text, at
    lexer.first = True
    if (blank := _BLANK.match(text, place)) is not None:
        place = blank.end()
    if text.startswith("((", place) and (stop := lexer.arithmetic(place)):
        return lexer.add("head", place, stop)
    start, last = place, place
    while place < len(text) and text[place] not in ";&|()\n":
        if (blank := _BLANK.match(text, place)) is not None:
            place = blank.end()
            continue
        last = lexer.word_end(place) if text[place] not in "<>" or text[place + 1 : place + 2] == "(" else place + 1
        told, place = text[place:last], last
        if word == "case" and told == "in":
            lexer.pattern = True
            break
    if word == "case" and not lexer.pattern and (more := _IN.match(text, place)):
        lexer.pattern, last = True, more.end()
    return lexer.add("head", start, max(start, last)) if last > start else max(place, at)


def _holds_bracket(text: str, start: int, at: int) -> bool:
    """Is the bracket at `at` part of the word that began at `start`: `a=(`, `*.!(`?"""
    extended = text[at - 1] in "@+*?" or (text[at - 1] == "!" and at - start > 1)
    return extended or _ARRAY.match(text, start, at) is not None


def _passed(text: str, at: int, closer: str) -> tuple[int, int]:
    """Where what ends with `closer` ends, 0 when it does not, and in how many steps that was found. Frames instead of
    recursion: it may be nested as deep as the text is long."""
    frames = [closer]
    held = {"`": int(closer == "`"), ")": int(closer == ")")}
    last = min(len(text), at + _FARTHEST)
    steps = 0

    def push(frame: str) -> None:
        frames.append(frame)
        if frame in held:
            held[frame] += 1

    def pop(until: str = "") -> None:
        while frames:
            frame = frames.pop()
            if frame in held:
                held[frame] -= 1
            if frame == until or not until:
                return

    while frames:
        steps += 1
        top = frames[-1]
        if top in _TO_THE_NEXT:
            stop = _TO_THE_NEXT[top].match(text, at, last)
            if stop is None:
                return 0, steps
            at = stop.end()
            pop()
            continue
        found = _SIGNS.search(text, at, last)
        if found is None:
            return 0, steps
        sign, at = found[0], found.end()
        in_code = top in (")", "esac", "`")
        if sign == top:
            pop()
        elif sign == ")" and top == "))":
            at += text.startswith(")", at)
            pop()
        elif sign == ")" and top == "esac" and held[")"] and _BEHIND_BRANCH.search(text, max(0, at - 8), at):
            pop(")")
        elif sign in ("$((", "$(", "${", "$'") or (sign == '"'):
            if sign != "$'" or top != '"':
                push(_CLOSER.get(sign, sign))
        elif sign.startswith("case"):
            if in_code:
                push("esac")
        elif sign == "`":
            pop("`") if held["`"] and not in_code else push("`")
        elif sign == "'" and top not in ('"', "))"):
            push("'")
        elif sign == "(" and top != '"' and top != "}":
            push(")")
        elif sign == "#" and in_code:
            line = text.find("\n", at)
            at = line if line >= 0 else last
    return at, steps


_FARTHEST = 32 * 1024
"""Characters in which the end of a quotation is looked for."""
_CLOSER = {"$((": "))", "$(": ")", "<(": ")", ">(": ")", "${": "}", "$[": "]", '$"': '"'}
_TO_THE_NEXT = {
    "'": re.compile(r"[^']*'"),
    "$'": re.compile(r"(?:[^'\\]|\\.)*+'", re.DOTALL),
    "]": re.compile(r"[^\]]*\]"),
}
_BEHIND_BRANCH = re.compile(r"(?:;;|;&|esac)\s*\)\Z")


def cut(found: Sequence[Token], depth: int, *, links: bool = False) -> Iterator[Sequence[Token]]:
    """The statements of these tokens at this depth, without what stands between them. With `links`, what `&&` and
    `||` join is cut as well."""
    begun: list[Token] = []
    for token in found:
        ends = token.kind == "end" or (links and token.kind == "link")
        if token.depth <= depth and (ends or token.kind == "edge"):
            if begun:
                yield begun
            begun = []
        else:
            begun.append(token)
    if begun:
        yield begun


def commands_in(text: str) -> int | None:
    """How many simple commands a text has, with those in substitutions; None when that cannot be said: something in it
    is not closed, or it is nested too deep."""
    return counted(text)[0]


def counted(text: str) -> tuple[int | None, int]:
    """The same, and in how many steps that was found."""
    lexer = _read(text)
    if lexer.tries != _TRIES:
        return None, lexer.steps
    number, steps = count(lexer.found)
    return number, lexer.steps + steps


def count(found: Sequence[Token], depth: int = 0) -> tuple[int | None, int]:
    """The same of tokens."""
    number, steps = 0, len(found)
    fresh = True
    before = ""
    for token in found:
        if token.text == "\n" and before in ("==", "=~"):
            return None, steps  # the grammar takes the next line for an operand
        before = token.text
        if token.kind in ("end", "link", "pipe", "edge"):
            fresh = True
        elif token.kind not in ("head", "name") and fresh and token.text != "!":
            number, fresh = number + 1, False
        if token.kind in ("word", "head", "test") and len(token.text) > 2:
            for text in inner(token.text):
                if depth >= _DEEPEST:
                    return None, steps
                lexer = _read(text)
                steps += 2 * lexer.steps  # once to find its end, once for its tokens
                below, more = count(lexer.found, depth + 1) if lexer.tries == _TRIES else (None, 0)
                steps += more
                if below is None:
                    return None, steps
                number += below
    return number, steps


def inner(word: str) -> list[str]:
    """The texts of the outermost `$(…)`, backquotes and `<(…)` in a word."""
    if "(" not in word and "`" not in word:
        return []
    found: list[str] = []
    lexer = _Lexer(word, [], [])
    at, quoted = 0, False
    while match := _INNER.search(word, at):
        sign, at = match[0], match.end()
        if sign == '"':
            quoted = not quoted
        elif sign in ("'", "$'") and not quoted:
            at = lexer.passed(match.start()) or at
        elif sign in ("$(", "`") or (sign in ("<(", ">(") and not quoted):
            end = lexer.passed(match.start())
            found.append(word[at : end - 1 if end else len(word)])
            at = end or len(word)
    return found
