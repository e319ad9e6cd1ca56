"""Hooks into Claude Code's settings and out again, plan first; and the doctor that finds what is wrong.

Writes settings files, the manifest, the launcher and receipts; starts nothing and keeps no event.
"""

from holdfast.install.apply import apply
from holdfast.install.client import find_client
from holdfast.install.describe import as_json, describe
from holdfast.install.doctor import repair, run_checks
from holdfast.install.examination import CheckResult, DoctorContext
from holdfast.install.hooks import hook_command
from holdfast.install.model import ClientInfo, InstallPlan, InstallReceipt, InstallScope, Notice, UninstallPlan
from holdfast.install.plan import plan_install
from holdfast.install.uninstall import apply_uninstall, plan_uninstall

__all__ = [
    "CheckResult",
    "ClientInfo",
    "DoctorContext",
    "InstallPlan",
    "InstallReceipt",
    "InstallScope",
    "Notice",
    "UninstallPlan",
    "apply",
    "apply_uninstall",
    "as_json",
    "describe",
    "find_client",
    "hook_command",
    "plan_install",
    "plan_uninstall",
    "repair",
    "run_checks",
]
