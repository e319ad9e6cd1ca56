"""What the user may choose about continuity: `[continuity]` of config.toml."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Checkpoints, context use and compaction."""

    method: Annotated[
        Literal["http", "mcp", "both"],
        Meta(
            description="Who saves at a threshold: `http`: the daemon, by itself. `mcp`: the agent is told to call "
            "`context_threshold`. `both`: the daemon saves, and the agent is told."
        ),
    ] = "http"
    fallback: Annotated[
        bool,
        Meta(description="With `mcp`: the daemon saves at the next event if the agent did not call."),
    ] = True
    auto_checkpoint_on_clear: Annotated[bool, Meta(description="Save a checkpoint at /clear.")] = True
    auto_resume_on_start: Annotated[
        bool, Meta(description="Inject the last checkpoint into a new session; otherwise one line offers it.")
    ] = False
    checkpoint_threshold_percent: Annotated[
        int, Meta(ge=1, le=100, description="Context use at which a checkpoint is saved.")
    ] = 70
    overflow_percent: Annotated[
        int, Meta(ge=1, le=100, description="Context use at which the agent is told to write a hand-over.")
    ] = 90
    compaction: Annotated[
        Literal["client", "both", "holdfast"],
        Meta(
            description="Who writes what follows a compaction: `client`: its summary, and what that lost is given "
            "back. `both`: its summary with the user's words. `holdfast`: holdfast, without a model (plugin only)."
        ),
    ] = "client"
    on_auto_compact: Annotated[
        Literal["checkpoint", "block", "restart"],
        Meta(
            description="At an automatic compaction: `checkpoint` saves and lets it happen. `block` refuses it; at the "
            "limit of the window this ends the turn. `restart` begins a new session with a hand-over, where the client "
            "was started by `holdfast run`; elsewhere it is like `checkpoint`."
        ),
    ] = "checkpoint"
    give_back_tokens: Annotated[
        int,
        Meta(
            ge=0, le=2_400, description="Token limit of the context that is restored after a compaction by the client."
        ),
    ] = 1_600
    note_tokens: Annotated[
        int,
        Meta(ge=1_000, le=50_000, description="Token limit of the note that replaces the client's summary."),
    ] = 5_000
    keep_checkpoints: Annotated[
        int, Meta(ge=1, le=10_000, description="Maximum number of checkpoints for each project; the newest are kept.")
    ] = 100
    windows: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^[^=]{1,80}=[0-9]{4,8}$")], ...],
        Meta(description='Tokens of a context window by the beginning of a model\'s name: `["claude-opus=200000"]`.'),
    ] = ()

    def window_sizes(self) -> dict[str, int]:
        """`windows`, by the beginning of a model's name."""
        return {name: int(size) for name, _, size in (each.partition("=") for each in self.windows)}
