"""The doctor on the client and the hooks: each way they can be silently off, wrong, or there twice."""

from __future__ import annotations

import os
from pathlib import Path

from holdfast.install import client as clients
from holdfast.install import files, hooks, surroundings
from holdfast.install.apply import apply
from holdfast.install.examination import CheckResult, DoctorContext
from holdfast.install.model import InstallScope, Notice
from holdfast.install.plan import plan_install
from holdfast.install.plugin_client import leaves_hooks_to_settings


def _found(name: str, notices: list[Notice], fine: str, state: str = "fail") -> CheckResult:
    if not notices:
        return CheckResult(name, "ok", fine)
    fixes = dict.fromkeys(notice.fix for notice in notices if notice.fix)
    sentence = " ".join(dict.fromkeys(notice.sentence for notice in notices))
    return CheckResult(name, "warn" if state == "warn" else "fail", sentence, " ".join(fixes) or None)


def _reinstall(context: DoctorContext) -> None:
    """Put the hooks right in every scope that has them."""
    for scope, _ in context.installed:
        apply(
            plan_install(
                scope,
                root=context.root,
                home=context.home,
                port=context.port,
                token=context.token or "",
                python=context.python,
                hook=context.hook,
                client=context.client,
                environment=context.environment,
                managed=context.managed,
                used=context.used,
            )
        )


def settings(context: DoctorContext) -> CheckResult:
    broken = [source.problem for source in context.sources if source.problem]
    if broken:
        return CheckResult("settings", "fail", " ".join(broken), "Until then Claude Code may ignore the whole file.")
    return CheckResult("settings", "ok", "All settings files can be read.")


def switched_off(context: DoctorContext) -> CheckResult:
    return _found("hooks on", list(surroundings.hooks_off(context.sources)), "No setting switches hooks off.")


def http_allowed(context: DoctorContext) -> CheckResult:
    notice = surroundings.http_blocked(context.sources, context.port)
    return _found("http allowed", [notice] if notice else [], "http hooks may reach the daemon.", _blame(context))


def proxy(context: DoctorContext) -> CheckResult:
    notice = surroundings.proxied(context.sources, context.environment, context.port)
    return _found("proxy", [notice] if notice else [], "No proxy stands between the hooks and us.", _blame(context))


def _blame(context: DoctorContext) -> str:
    """What hinders http is fatal only to http hooks."""
    posts = any(hook.get("type") == "http" for _, source in context.installed for _, hook in context.our_hooks(source))
    return "fail" if posts else "warn"


def installed(context: DoctorContext) -> CheckResult:
    if context.installed:
        where = ", ".join(f"{scope.value} ({source.path})" for scope, source in context.installed)
        return CheckResult("hooks", "ok", f"Hooks are installed: {where}.")
    if list(surroundings.plugin_enabled(context.sources)):
        if leaves_hooks_to_settings(context.home):
            sentence = "The plugin was installed without hooks of its own, and there are none in the settings."
            return CheckResult("hooks", "fail", sentence, "Run `holdfast up`, or `holdfast plugin --install` again.")
        return CheckResult("hooks", "ok", "Hooks come from the holdfast plugin.")
    return _nowhere(context)


def _nowhere(context: DoctorContext) -> CheckResult:
    """The record says where the hooks went; the files say what happened to them."""
    readable = {files.target_of(source.path) for source in context.sources}
    elsewhere: list[str] = []
    for entry in context.manifest.files:
        path = Path(entry.path)
        if not path.exists():
            sentence = f"{path}, which had the hooks, is gone, so Claude Code runs none of them."
            return CheckResult("hooks", "fail", sentence, "Run `holdfast up`: it makes the file again.")
        if files.target_of(path) in readable:
            sentence = f"The hooks were taken out of {path}, and `holdfast uninstall` did not do it."
            return CheckResult(
                "hooks", "fail", sentence, "Run `holdfast up` to put them back, or `holdfast uninstall`."
            )
        elsewhere.append(entry.path)
    if elsewhere:
        return CheckResult(
            "hooks",
            "fail",
            f"Hooks are only in {', '.join(elsewhere)}, which sessions in {context.root} do not read.",
            "Run `holdfast install --scope user` for all projects, or `--scope local` here.",
        )
    return CheckResult("hooks", "fail", "No hooks are installed.", "Run `holdfast up`.")


def complete(context: DoctorContext) -> CheckResult:
    known = _wanted(context)
    if not context.installed:
        return CheckResult("events", "ok", "Not asked: no hooks are installed.")
    present = {event for _, source in context.installed for event, _ in context.our_hooks(source)}
    unknown = sorted(present - set(clients.known_events(context.client)))
    idle = sorted(present - set(known) - set(unknown))
    missing = sorted(set(known) - present)
    if unknown and clients.drops_all_for_unknown(context.client):
        sentence = f"{context.client.name} does not know {', '.join(unknown)} and therefore runs no hook at all."
        return CheckResult("events", "fail", sentence, "Run `holdfast install`.", lambda: _reinstall(context))
    skipped = [
        event
        for _, source in context.installed
        for event, hook in context.our_hooks(source)
        if hook.get("type") == "http" and event in hooks.COMMAND_ONLY
    ]
    if skipped:
        sentence = f"A command hook is needed for {', '.join(skipped)}, not an http hook."
        return CheckResult("events", "fail", sentence, "Run `holdfast install`.", lambda: _reinstall(context))
    if missing:
        sentence = f"holdfast uses {', '.join(missing)}, which are not registered."
        return CheckResult("events", "warn", sentence, "Run `holdfast up`.", lambda: _reinstall(context))
    if idle:
        sentence = f"Nothing listens to {', '.join(idle)}, and each costs the session its time."
        return CheckResult("events", "warn", sentence, "Run `holdfast up`.", lambda: _reinstall(context))
    return CheckResult("events", "ok", f"All {len(known)} events that are used are registered.")


def _wanted(context: DoctorContext) -> list[str]:
    """The events that should be registered: those that are used, or all where the user chose so."""
    paths = {str(source.path) for _, source in context.installed}
    every = context.used is None or any(entry.all_events for entry in context.manifest.files if entry.path in paths)
    known = [event for event in clients.known_events(context.client) if event not in hooks.NEVER]
    return known if every else [event for event in known if event in (context.used or ())]


def once(context: DoctorContext) -> CheckResult:
    notices: list[Notice] = []
    holding = [source for source in context.sources if source.holdfast_events]
    for source in holding[1:]:
        notices += surroundings.installed_elsewhere([source], holding[0].path)
    return _found("once", notices, "Each event arrives once.", "warn")


def settings_private(context: DoctorContext) -> CheckResult:
    loose: list[Path] = []
    for source in context.sources:
        carries = any(hooks.token_of(hook) for _, hook in context.our_hooks(source))
        if carries and source.mode is not None and source.mode & 0o077:
            loose.append(files.target_of(source.path))

    def repair() -> None:
        for path in loose:
            path.chmod(path.stat().st_mode & 0o700)

    if loose:
        names = " ".join(map(str, loose))
        sentence = f"Other users may read the token in {names}."
        return CheckResult("settings private", "fail", sentence, f"Run: chmod 600 {names}", repair)
    return CheckResult("settings private", "ok", "No other user can read the token in the settings.")


def not_committed(context: DoctorContext) -> CheckResult:
    for source in context.sources:
        carries = any(hooks.token_of(hook) for _, hook in context.our_hooks(source))
        shared = source.name == InstallScope.PROJECT.value or files.tracked_by_git(source.path, context.environment)
        if carries and shared:
            return CheckResult(
                "token in git",
                "fail",
                f"{source.path} carries the token and is, or may be, committed.",
                "Move the hooks: `holdfast uninstall`, then `holdfast install --scope local`; "
                f"if it was pushed, remove {context.home.token} and run `holdfast up` for a new token.",
            )
    return CheckResult("token in git", "ok", "No committed settings file carries the token.")


def token_same(context: DoctorContext) -> CheckResult:
    given = {hooks.token_of(hook) for _, source in context.installed for _, hook in context.our_hooks(source)} - {None}
    if given and context.token and given != {context.token}:
        sentence = "The token in the settings is not the daemon's, so it refuses the hooks."
        return CheckResult("token same", "fail", sentence, "Run `holdfast install`.", lambda: _reinstall(context))
    return CheckResult("token same", "ok", "The hooks carry the right token.")


def port_same(context: DoctorContext) -> CheckResult:
    ports = {hooks.port_of(hook) for _, source in context.installed for _, hook in context.our_hooks(source)} - {None}
    wrong = sorted(port for port in ports if port is not None and port != context.port)
    if wrong and context.port:
        sentence = f"Hooks post to port {wrong[0]}, but the daemon's port is {context.port}."
        return CheckResult("port same", "fail", sentence, "Run `holdfast install`.", lambda: _reinstall(context))
    return CheckResult("port same", "ok", "The hooks post to the daemon's port.")


def programs(context: DoctorContext) -> CheckResult:
    """Python environments move and vanish; a command hook then fails on every session start."""
    missing: list[str] = []
    for _, source in context.installed:
        for _, hook in context.our_hooks(source):
            parts = hooks.command_parts(hook)
            if parts and not os.access(parts[0], os.X_OK):
                missing.append(parts[0])
            if parts and not os.access(parts[1], os.R_OK):
                missing.append(parts[1])
    if missing:
        sentence = f"The command hooks name what is not there: {', '.join(dict.fromkeys(missing))}."
        return CheckResult("programs", "fail", sentence, "Run `holdfast install`.", lambda: _reinstall(context))
    return CheckResult("programs", "ok", "The programs that command hooks name are there.")


def launcher(context: DoctorContext) -> CheckResult:
    place = context.home.launcher
    wanted = hooks.launcher_script(context.python, context.hook, context.home.root)
    if not any(scope is InstallScope.PROJECT for scope, _ in context.installed):
        return CheckResult("launcher", "ok", "Not needed: no hooks in project settings.")
    if not os.access(place, os.X_OK):
        sentence = f"Hooks in project settings look for {place}, which is not there or not executable."
    elif place.read_bytes() != wanted.encode("utf-8"):
        sentence = f"{place} starts another Python or hook file than this holdfast's."
    else:
        return CheckResult("launcher", "ok", f"{place} is there.")
    return CheckResult(
        "launcher", "fail", sentence, "Run `holdfast install --scope project`.", lambda: _reinstall(context)
    )
