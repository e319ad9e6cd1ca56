"""Places where a written file is new, or can be had again: programs of one's own, downloads, the kernel. Pure."""

from __future__ import annotations

from holdfast.commandline.effects.places import Spot
from holdfast.commandline.model import Deed
from holdfast.patterns import lazy_pattern


def is_likely_new(deed: Deed, place: Spot) -> bool:
    """Where nobody can look: a file that is put into a folder, or has the date in its name, is hardly there yet."""
    if deed.named_by in CHANGE_ONLY:
        return False
    if deed.named_by.startswith(("curl", "wget")) and _FETCHED.search(place.path):
        return True
    return (
        bool(deed.sources and (place.said.endswith("/") or _COLLECTS.search(place.path)))
        or _NEW_FILE.search(place.path) is not None
    )


OF_RUNNING_KERNEL = lazy_pattern(
    r"/proc/(?:self|thread-self|\d+)/(?:oom_\w+|autogroup|clear_refs|comm|coredump_filter|timerslack_ns|[ug]id_map|setgroups)\Z|"
    r"/proc/sys/(?!kernel/(?:core_pattern|modprobe|sysrq|poweroff_cmd|hotplug|panic|kexec\w*|modules_disabled)|fs/binfmt_misc)"
    r"[\w/.*-]+\Z|"
    r"/sys/(?:devices/system/(?:cpu|node)/[\w/.*-]+|fs/cgroup/[\w/.@*-]+|kernel/(?:mm|debug|tracing)/[\w/.*-]+|"
    r"class/(?:leds|backlight|net|hwmon|thermal|powercap|drm)/[\w/.:*-]+|block/[\w*-]+/queue/\w+|module/\w+/parameters/\w+)\Z"
)
"""Settings of the kernel that runs, as `sysctl -w` writes them: gone at the next start. None names a program."""
CHANGE_ONLY = frozenset({"truncate", "fallocate", "sed -i", "perl -i", "ruby -i", "ed", "ex", "vi", "vim", "nvim"})
"""What is done to a file that is there."""


_NEW_FILE = lazy_pattern(r"\$\(date|/(?:Downloads|Desktop)/[^/]+\.\w+\Z")
_FETCHED = lazy_pattern(r"\.(?:AppImage|deb|rpm|tar\.\w+|tgz|zip|whl|iso|dmg|pkg)\Z")
_COLLECTS = lazy_pattern(r"/(?:Desktop|Downloads)\Z")
OWN_PROGRAMS = lazy_pattern(
    r"(?:~|/home/[^/]+|/Users/[^/]+)/(?:\.local/bin|bin|go/bin|\.cargo/bin)(?:/[^/]+)?\Z|/usr/local/bin(?:/[^/]+)?\Z"
)
"""Where a user has programs of their own: what is built is put there again."""
FILLS = ("curl", "wget", "> ", "tee")
OWN_PROGRAM = lazy_pattern(
    r"(?:~|/home/[^/]+|/Users/[^/]+)/(?:(?:\.local/bin|bin|go/bin|\.cargo/bin|\.docker/cli-plugins|\.kube/plugins|\.krew/bin)/[^/]+|"
    r"\.local/share/(?:fonts|applications|icons|man|bash-completion|zsh|fish|themes)/.+|\.(?:zsh|zfunc|oh-my-zsh|bash_completion\.d|fonts)/.+|"
    r"\.config/fish/completions/[^/]+)\Z|/usr/local/bin/[^/]+\Z"
)
"""A program, a font or a completion that is fetched into the folder for it: it can be fetched again."""
