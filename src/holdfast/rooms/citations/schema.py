"""The tables of this room, as forget, export, import and retention see them. Their SQL is in `citations.sql`."""

from __future__ import annotations

from pathlib import Path

from holdfast.store.shared import CHOICE, HASH, ID, OWNER
from holdfast.store.table import Table, Via

FOLDER = Path(__file__).parent
_ON_REQUEST = "the readings of web pages"

TABLES: tuple[Table, ...] = (
    Table(
        "citation",
        ("id",),
        owner="owner",
        time="created_at",
        project="scope",
        words=("url", "shown_url", "final_url", "etag", "vary"),
        plain={
            "id": ID,
            "owner": OWNER,
            "scope": "the id of a project",
            "last_modified": "a date",
            "content_type": "a media type",
            "version": HASH,
            "source": "which door it came by",
        },
        only_with=Via("id", "reading", "citation_id"),
        lasts=True,
        exported=(
            *("id", "scope", "url", "shown_url", "final_url", "etag", "last_modified", "content_type", "vary"),
            *("version", "source", "created_at", "verified_at", "challenged_at", "changed_at"),
        ),
        on_request=_ON_REQUEST,
        same=("owner", "scope", "url"),
        refers={"scope": "project"},
    ),
    Table(
        "reading",
        ("id",),
        owner=Via("citation_id", "citation"),
        time="read_at",
        project=Via("citation_id", "citation"),
        words=("prompt", "text"),
        counted="readings",
        called=("reading of a web page", "readings of web pages"),
        plain={
            "id": ID,
            "citation_id": ID,
            "prompt_key": HASH,
            "version": HASH,
            "digest": HASH,
            "read_by": OWNER,
        },
        lasts=True,
        exported=(
            *("id", "citation_id", "prompt_key", "prompt", "text", "version", "digest", "code", "bytes", "page_bytes"),
            *("took_ms", "read_by", "read_at", "used_at", "uses"),
        ),
        on_request=_ON_REQUEST,
        refers={"citation_id": "citation"},
    ),
    Table(
        "sighting",
        ("id",),
        owner="owner",
        time="seen_at",
        conversation="conversation",
        words=("asked_url", "url", "seen", "fetch_key"),
        plain={"id": ID, "owner": OWNER, "conversation": ID, "version": HASH},
        kept_back="a fetch that is under way",
    ),
    Table(
        "origin_trait",
        ("owner", "subject", "trait"),
        owner="owner",
        time="noted_at",
        words=("subject",),
        plain={"owner": OWNER, "trait": CHOICE},
        lasts=True,
        kept_back="how origins behave, learned anew",
    ),
    Table(
        "citation_count",
        ("owner", "name"),
        owner="owner",
        plain={"owner": OWNER, "name": "the name of a counter"},
        kept_back="statistics",
    ),
)
