"""What an install would do, as a value: which file becomes what, with which hooks, and what to know first.

Reads settings, manifest and surroundings; changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from holdfast.errors import Refused
from holdfast.install import client as clients
from holdfast.install import files, manifest, surgery, surroundings
from holdfast.install.hooks import GUARDED, hook_command, launcher_script, wanted_hooks
from holdfast.install.launching import command_script, is_current
from holdfast.install.manifest import InstalledFile
from holdfast.install.model import ClientInfo, FileChange, Hook, InstallPlan, InstallScope, Notice
from holdfast.install.settings import Ours, all_hooks, decode, parse_settings, settings_file
from holdfast.install.surroundings import InstallSource
from holdfast.paths import Home


def plan_install(
    scope: InstallScope,
    *,
    root: Path,
    home: Home,
    port: int,
    token: str,
    python: Path,
    hook: Path,
    client: ClientInfo,
    environment: Mapping[str, str],
    managed: Sequence[Path] | None = None,
    used: Collection[str] | None = None,
    all_events: bool | None = None,
    guard_command: bool | None = None,
    may_post: bool = True,
) -> InstallPlan:
    """The plan for one scope. `managed` are the administrator's settings; None means the usual places.

    `used` are the events that something listens to; only they are registered, unless `all_events` says otherwise
    (None: as it was chosen before). With `guard_command` PreToolUse is a command hook (None: as before). Without
    `may_post` every hook is a command.
    """
    root = root.absolute()
    path = _target(scope, root, environment)
    events = clients.known_events(client)
    if not events:
        raise Refused(f"{client.name} is older than any holdfast was tried with. Update it, then install again.")
    sources = surroundings.read_sources(root, environment, managed)
    obstacles = tuple(_http_obstacles(sources, environment, port)) if scope is not InstallScope.PROJECT else ()
    entry = manifest.load(home).find(path)
    every = used is None or (entry is not None and entry.all_events if all_events is None else all_events)
    hooks = wanted_hooks(
        events,
        used=None if every else used,
        commands=(GUARDED,) if (_guards_by_command(entry) if guard_command is None else guard_command) else (),
        scope=scope,
        http=may_post and clients.accepts_http(client) and not obstacles,
        command=hook_command(python, hook, home.root),
        port=port,
        token=token,
    )
    change = _change(scope, path, hooks, home, port, token)
    notices = (
        *_client_notices(client),
        *surroundings.hooks_off(sources),
        *obstacles,
        *surroundings.installed_elsewhere(sources, path),
        *_exposure(scope, path, hooks, environment),
        *(_home_notice(home, environment) if scope is InstallScope.PROJECT else ()),
    )
    launcher = launcher_script(python, hook, home.root) if scope is InstallScope.PROJECT else None
    differs = launcher is not None and _launcher_differs(home, launcher)
    program = command_script(python, home)
    differs = differs or not is_current(home, program)
    if change.way == "none" and (differs or (entry is not None and entry.all_events != every)):
        change = replace(change, way="record")
    return InstallPlan(scope, root, home, port, client, hooks, change, launcher, notices, token, every, program)


def _guards_by_command(entry: InstalledFile | None) -> bool:
    """Was it chosen before? Then PreToolUse is a command beside http hooks."""
    return entry is not None and entry.events.get(GUARDED) == "command" and "http" in entry.events.values()


def _target(scope: InstallScope, root: Path, environment: Mapping[str, str]) -> Path:
    path = settings_file(scope, root, environment)
    user = settings_file(InstallScope.USER, root, environment)
    if scope is InstallScope.PROJECT and files.target_of(path) == files.target_of(user):
        raise Refused(
            f"In {root} the project settings are your user settings ({user}). Nothing was changed; "
            "use --scope user, or go into a project first."
        )
    return path


def _http_obstacles(sources: Sequence[InstallSource], environment: Mapping[str, str], port: int) -> Iterator[Notice]:
    for notice in (
        surroundings.http_blocked(sources, port),
        surroundings.proxied(sources, environment, port),
    ):
        if notice:
            yield Notice(
                notice.about,
                f"{notice.sentence} Every event gets a command hook instead: slower, but it works.",
                f"{notice.fix} Then run `holdfast install` again for http hooks.",
            )


def _change(scope: InstallScope, path: Path, hooks: dict[str, Hook], home: Home, port: int, token: str) -> FileChange:
    found = files.read(path)
    entry = manifest.load(home).find(path)
    ours = ours_of(home, entry, port, token)
    text = None if found.data is None else decode(found.data, path)
    merged = surgery.merge(text, hooks, ours, path)
    after = merged.text.encode("utf-8")
    original, original_mode = _original(found, text, entry, ours, path)
    mode_after = _mode_after(found.mode, hooks)
    change = FileChange(
        scope=scope,
        path=path,
        before=found.data,
        after=after,
        mode_before=found.mode,
        mode_after=mode_after,
        original=original,
        original_mode=original_mode,
        way="create" if found.data is None else "edit",
        added=merged.added,
        replaced=merged.replaced,
        removed=merged.removed,
        folders=tuple(map(Path, entry.folders)) if entry and found.data is not None else files.missing_folders(path),
    )
    if found.data != after:
        return change
    if mode_after != found.mode:
        return replace(change, way="mode")
    return replace(change, way="none" if entry else "record")


def ours_of(home: Home, entry: InstalledFile | None, port: int | None, token: str | None) -> Ours:
    """How to recognise this home's hooks, also those of an earlier port or place."""
    ports = {one for one in (port, entry.port if entry else None) if one}
    homes = {str(home.root), entry.home if entry else str(home.root)}
    return Ours(frozenset(homes), frozenset(ports), frozenset({token} if token else ()))


def _original(
    found: files.FoundFile, text: str | None, entry: InstalledFile | None, ours: Ours, path: Path
) -> tuple[bytes | None, int | None]:
    """The bytes and mode that an uninstall shall give back: the file as it would be without us."""
    if found.data is None or text is None:
        return None, None
    if entry and files.digest(found.data) == entry.sha256_after:
        return entry.original_bytes(), entry.original_mode
    if not any(hook in ours for _, hook in all_hooks(parse_settings(text, path))):
        return found.data, found.mode
    before = entry.original_bytes() if entry else b"{}"
    then = before.decode("utf-8") if before is not None else None
    bare = surgery.strip(text, ours, then, path)
    mode = entry.original_mode if entry else found.mode
    if bare is not None and then is not None and surgery.same_meaning(bare, then, path):
        return before, mode
    return (None if bare is None else bare.encode("utf-8")), mode


def carries_token(hooks: Mapping[str, Hook]) -> bool:
    return any(hook["type"] == "http" for hook in hooks.values())


def _mode_after(mode: int | None, hooks: Mapping[str, Hook]) -> int | None:
    """Owner-only when the file will hold the token; else as it is."""
    if not carries_token(hooks):
        return mode
    return 0o600 if mode is None else mode & 0o700


def _launcher_differs(home: Home, script: str) -> bool:
    found = files.read(home.launcher)
    return found.data != script.encode("utf-8") or found.mode != 0o700


def _client_notices(client: ClientInfo) -> Iterator[Notice]:
    if client.version is None:
        problem = client.problem or "the client version is unknown"
        yield Notice(
            "client",
            f"{problem[:1].upper()}{problem[1:]}, "
            "so only the events of the oldest known version are registered, as command hooks.",
            "Name it with --client PATH to get all its events.",
        )
    elif not clients.accepts_http(client):
        yield Notice("client", f"{client.name} has no http hooks, so every event gets a command hook.", "Update it.")
    elif clients.drops_all_for_unknown(client):
        yield Notice(
            "client",
            f"{client.name} drops all hooks when it meets an event it does not know, "
            "so only those it knows are registered.",
            "After updating Claude Code run `holdfast install` again to add the newer events.",
        )


def _exposure(
    scope: InstallScope, path: Path, hooks: Mapping[str, Hook], environment: Mapping[str, str]
) -> Iterator[Notice]:
    if not carries_token(hooks):
        return
    if files.tracked_by_git(path, environment):
        yield Notice(
            "token in git",
            f"{files.target_of(path)} is tracked by git and will carry the token.",
            "Do not commit this change; or use --scope project, whose hooks hold no token.",
        )
    elif files.open_to_git(path, environment):
        name = ".claude/settings.local.json" if scope is InstallScope.LOCAL else files.target_of(path).name
        yield Notice(
            "token in git",
            f"{files.target_of(path)} will carry the token and git does not ignore it.",
            f"Add {name} to .git/info/exclude of that repository before committing.",
        )


def _home_notice(home: Home, environment: Mapping[str, str]) -> Iterator[Notice]:
    house = Path(environment.get("HOME") or Path.home())
    data = Path(environment.get("XDG_DATA_HOME") or house / ".local" / "share") / "holdfast"
    usual = (data, house / "Library" / "Application Support" / "holdfast")
    if home.root not in usual:
        yield Notice(
            "home",
            "Hooks in project settings look for holdfast in its usual place, and this home is elsewhere.",
            f"Set HOLDFAST_HOME={home.root} where you start Claude Code.",
        )
