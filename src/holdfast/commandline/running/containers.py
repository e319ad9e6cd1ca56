"""Commands that run in containers: `docker exec NAME CMD`, `docker run IMAGE CMD`, `kubectl exec POD -- CMD`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Arg, Mount, Run
from holdfast.commandline.running.inner import Inner, after_options
from holdfast.shell.tools import listed

_EXEC_VALUES = listed("-u --user -w --workdir -e --env --env-file -n --namespace -c --container --context")
_RUN_VALUES = _EXEC_VALUES | listed(
    "-v --volume --name -p --publish --mount --network --net --entrypoint -h --hostname --platform -l --label --cpus "
    "-m --memory --add-host --dns --gpus --ipc --pid --pull --restart --shm-size --tmpfs --ulimit --user -a --attach "
    "--cap-add --cap-drop --cgroupns --cidfile --device --expose --ip --link --log-driver --log-opt --mac-address "
    "--runtime --security-opt --stop-signal --stop-timeout --sysctl --userns --uts "
    "--volumes-from --volume-driver --workdir"
)


def container(run: Run) -> Iterator[Inner]:
    """`docker exec box rm -rf /data`, `docker run image sh -c …`, `kubectl exec pod -- …`."""
    args = run.args
    place = next((n for n, arg in enumerate(args) if arg.text in ("exec", "run", "debug")), None)
    if place is None:
        return
    composed = any(arg.text == "compose" for arg in args[:place]) or run.program.endswith("compose")
    fresh = args[place].text == "run" and not composed
    behind: Sequence[Arg]
    image: Sequence[Arg] = ()
    if run.program in ("kubectl", "oc"):
        dashes = next((n for n, arg in enumerate(args) if arg.text == "--"), len(args))
        behind, fresh = args[dashes + 1 :], False
    else:
        behind = after_options(args[place + 1 :], _RUN_VALUES)
        options = args[place + 1 : len(args) - len(behind)]
        image, behind = behind[:1], behind[1:]
        if fresh and (entry := _value_of(options, "--entrypoint")):
            behind = (entry, *behind)
        elif fresh and image and (tool := _tool_of(image[0].text)) and behind and behind[0].text != tool:
            behind = (Arg(tool), *behind)
    if behind:
        is_cluster = run.program in ("kubectl", "oc")
        where = _value_of(options, "-w", "--workdir") if not is_cluster else None
        inner = Inner(
            tuple(behind),
            remote=run.program,
            stdin=run.stdin,
            directory=where.text if where else None,
            mounts=tuple(_mounts(options)) if fresh else None,
            container=image[0].text if image and not fresh and _is_here(run, args[:place]) else "",
        )
        if composed and inner.container and (tests := _for_tests(run, args[:place], options)):
            inner = replace(inner, container=f"{tests}-{inner.container}")
        yield inner
        if composed and (mounts := tuple(_mounts(options))):  # beside those that the project's file names
            yield replace(inner, mounts=mounts, container="")


def _is_here(run: Run, before: Sequence[Arg]) -> bool:
    """Is a container on this machine, and not on one that is named?"""
    named = any(re.match(r"-H|--host|--context|-c\Z", arg.text) for arg in before)
    return not named and not any(name in ("DOCKER_HOST", "DOCKER_CONTEXT") for name, _ in run.environment)


def _for_tests(run: Run, before: Sequence[Arg], options: Sequence[Arg]) -> str:
    """By what name a composition of containers says that it is there for tests: `-f compose.test.yml`, `-p shop-test`;
    '' when it says no such thing, or when anything in the call is of production."""
    named = [value.text for name, value in run.environment if name in ("COMPOSE_FILE", "COMPOSE_PROJECT_NAME")]
    for place, arg in enumerate(before):
        name, sign, value = arg.text.partition("=")
        if name in ("-f", "--file", "-p", "--project-name", "--env-file"):
            named.append(value if sign else "".join(each.text for each in before[place + 1 : place + 2]))
    told = [re.sub(r"\.ya?ml\Z", "", part) for text in named for part in re.split(r"[/:]", text)]
    if any(map(disposable.is_of_production, (*named, *(arg.text for arg in options)))):
        return ""
    return next((part for part in told if disposable.is_for_tests(part)), "")


_TOOL_IMAGES = {
    "terraform": "terraform", "opentofu": "tofu", "terragrunt": "terragrunt", "kubectl": "kubectl", "helm": "helm",
    "git": "git", "aws-cli": "aws", "azure-cli": "az", "pulumi": "pulumi", "rclone": "rclone", "flyway": "flyway",
    "liquibase": "liquibase", "doctl": "doctl", "heroku": "heroku", "mc": "mc", "s3cmd": "s3cmd", "restic": "restic",
}  # fmt: skip
"""Images whose words are those of one program."""


def _tool_of(image: str) -> str:
    """`hashicorp/terraform:1.9` is terraform."""
    return _TOOL_IMAGES.get(image.partition("@")[0].rsplit("/", 1)[-1].partition(":")[0], "")


def _value_of(options: Sequence[Arg], *names: str) -> Arg | None:
    for place, arg in enumerate(options):
        name, sign, value = arg.text.partition("=")
        if arg.text in names and place + 1 < len(options):
            return options[place + 1]
        if sign and name in names:
            return Arg(value, arg.known, arg.quoted)
        if arg.text[:2] in names and arg.text[2:]:  # `-w/app`
            return Arg(arg.text[2:], arg.known, arg.quoted)
    return None


def _mounts(options: Sequence[Arg]) -> Iterator[Mount]:
    """What `-v SOURCE:TARGET[:ro]` and `--mount` put into a container."""
    for place, arg in enumerate(options):
        name, sign, value = arg.text.partition("=")
        given = Arg(value, arg.known) if sign else options[place + 1] if place + 1 < len(options) else Arg("")
        if name.startswith("-v") and len(name) > 2:  # `-v$HOME:/h`
            name, given = "-v", Arg(arg.text[2:].removeprefix("="), arg.known)
        if name == "--volumes-from":
            source, target, how = given.text, "/", ""
        elif name in ("-v", "--volume"):
            source, _, rest = given.text.partition(":")
            target, _, how = rest.partition(":")
        elif name == "--mount":
            told = dict(each.partition("=")[::2] for each in given.text.split(","))
            source = told.get("source") or told.get("src") or ""
            target = told.get("target") or told.get("dst") or told.get("destination") or ""
            how = "ro" if "readonly" in told or "ro" in told else ""
        else:
            continue
        if source and target:
            volume = not source.startswith(("/", ".", "~", "$", "`"))
            known = given.known or source in ("$PWD", "$HOME")
            yield Mount(Arg(source, known), target.rstrip("/") or "/", volume, "ro" in how.split(","))
