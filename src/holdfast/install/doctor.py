"""The doctor: every check in the order people read them, and the repairs that are safe to make."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from holdfast.errors import HoldfastError
from holdfast.install import checks_clients, checks_home, checks_hooks, checks_store
from holdfast.install.examination import CheckResult, DoctorContext

CHECKS: tuple[Callable[[DoctorContext], CheckResult], ...] = (
    checks_home.home,
    checks_home.writable,
    checks_home.disk,
    checks_home.private_files,
    checks_home.token,
    checks_home.configuration,
    checks_home.lock,
    checks_home.daemon,
    checks_home.port,
    checks_store.store,
    checks_store.backup,
    checks_home.spool,
    checks_home.lost,
    checks_home.silence,
    checks_clients.client,
    checks_hooks.settings,
    checks_hooks.installed,
    checks_hooks.complete,
    checks_hooks.switched_off,
    checks_hooks.http_allowed,
    checks_hooks.proxy,
    checks_hooks.once,
    checks_hooks.token_same,
    checks_hooks.port_same,
    checks_hooks.programs,
    checks_hooks.launcher,
    checks_hooks.settings_private,
    checks_hooks.not_committed,
    checks_clients.tools,
    checks_clients.plugin_copies,
    checks_clients.other_agents,
)


def run_checks(context: DoctorContext) -> list[CheckResult]:
    """All of them. A check that itself fails is a finding, not the end of the examination."""
    return [_run(check, context) for check in CHECKS]


def _run(check: Callable[[DoctorContext], CheckResult], context: DoctorContext) -> CheckResult:
    try:
        return check(context)
    except (OSError, HoldfastError) as error:
        name = check.__name__.replace("_", " ")
        return CheckResult(name, "fail", f"This could not be examined: {error}", "See the other checks first.")


def repair(checks: Iterable[CheckResult]) -> list[tuple[str, str | None]]:
    """Make the repairs at hand: each check's name, and what went wrong. Then look with a new context."""
    done: list[tuple[str, str | None]] = []
    for check in checks:
        if check.repair is None:
            continue
        try:
            check.repair()
            done.append((check.name, None))
        except (OSError, HoldfastError) as error:
            done.append((check.name, str(error)))
    return done
