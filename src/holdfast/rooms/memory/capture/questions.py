"""What the user answered to the client's own question tool: a decision, in the words of the option. Pure.

The tool itself is no observation (MEM-3): what it asked and got counts for the summary of its turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.prose.one_line import one_line

TOOL = "AskUserQuestion"
_MOST = 4
"""Questions of one use: so many the client offers at most."""
_LONGEST_QUESTION, _LONGEST_ANSWER = 200, 130


@dataclass(frozen=True, slots=True)
class UserAnswer:
    question: str
    words: str


def answers_in(payload: Any) -> list[UserAnswer]:
    """The answered questions of a use of the tool, in their order. (Client 2.1.325 has them in its answer; older ones
    in what they asked.)"""
    if not isinstance(payload, Mapping):
        return []
    told = next((found for name in ("tool_response", "tool_input") if (found := _answers(payload.get(name)))), {})
    pairs = ((_plain(question, _LONGEST_QUESTION), _words(answer)) for question, answer in list(told.items())[:_MOST])
    return [UserAnswer(question, words) for question, words in pairs if question and words]


def _answers(told: Any) -> Mapping[Any, Any]:
    answers = told.get("answers") if isinstance(told, Mapping) else None
    return answers if isinstance(answers, Mapping) else {}


def _words(answer: Any) -> str:
    several = [each for each in answer if isinstance(each, str)] if isinstance(answer, list) else [answer]
    return _plain(", ".join(each for each in several if isinstance(each, str)), _LONGEST_ANSWER)


def _plain(text: Any, longest: int) -> str:
    return one_line(text.replace("“", "").replace("”", ""), longest) if isinstance(text, str) else ""
