"""Does a program that no rule knows destroy something? Known by its words alone. Pure; linear.

Tools of clouds, databases and hosts come and go faster than rules, and their words are alike: a verb in the place of a
command, what it is about, then names: `acme database delete shop`, `acme volumes:destroy v1`, `acme delete-cluster x`.
So are those of machines without a shell, at which `ssh` and `telnet` type: `write erase`, `request system zeroize`.
What reads so is asked about. Spared are words for what a tool has on this machine only (caches, plugins, profiles),
what stands behind a verb that only reads or makes, and names that are there to be thrown away (`shop-test`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.effects import disposable
from holdfast.commandline.inline import programs
from holdfast.commandline.model import Arg, Run
from holdfast.commandline.running import hidden
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

STRANGER = "stranger-destroys"
"""The program of the rule that is about these calls."""

_STRONG = listed(
    "delete destroy terminate drop wipe nuke obliterate decommission teardown deprovision expunge cleanse undeploy "
    "unpublish unprovision implode deleteall dropall destroyall rmall removeall"
)
"""Verbs that take something away for good, whatever it is."""
_ALONE = _STRONG - listed("drop expunge")
"""Those that need no name behind them: all that the tool has made goes."""
_REMOVE = listed("remove rm del")
"""Verbs for things that are listed somewhere. `acme rm x` may be a list of one's own; `acme NOUN rm x` says of what."""
_TAKE = listed("purge erase revoke unregister deregister delist cancel deactivate evict forget uninstall")
"""Verbs that count together with a thing of others."""
_ENDS = listed("stop down disable archive suspend close kill")
"""Verbs that count where a list of the same tool feeds them, or where the call names production."""
_EMPTY = listed("clean reset flush clear empty truncate prune")
"""Verbs that count together with data."""
_DATA = listed(
    "db dbs database databases schema schemas bucket buckets tenant prod production collection table tables keyspace "
    "dataset datasets topic queue queues"
)
_OTHERS = _DATA | listed(
    "cluster clusters instance instances server servers machine machines vm vms droplet droplets object objects blob "
    "blobs volume volumes disk disks snapshot snapshots backup backups project projects app apps application "
    "applications service services domain domains zone zones record records namespace namespaces tenants org orgs "
    "organization organizations organisation team teams account accounts user users member members group groups role "
    "roles policy policies secret secrets vault vaults key keys apikey apikeys repo repos repository repositories "
    "environment environments deployment deployments site sites topics stream streams index indexes indices "
    "collections stack stacks resource resources function functions lambda worker workers certificate certificates "
    "cert certs registry registries network networks vpc vpcs subnet subnets firewall firewalls loadbalancer "
    "loadbalancers balancer pool pools node nodes pod pods ip ips address release releases pipeline pipelines realm "
    "realms workspace workspaces host hosts customer customers subscription subscriptions product order orders webhook "
    "webhooks space spaces fleet shard shards replica replicas store storage kv document documents row rows "
    "infrastructure infra everything deploy access accesslist lake lakes job jobs schedule cron mfa setup"
)
"""Things that others have, or that hold what is not made again."""
_NEVER = listed(
    "cache caches cookie cookies session sessions tmp temp temporary log logs alias aliases plugin plugins theme "
    "themes completion completions history extension extensions venv virtualenv virtualenvs worktree worktrees "
    "bookmark bookmarks todo todos mock mocks fixture fixtures local kernel kernelspec emulator simulator avd pane "
    "panes window windows tab tabs buffer buffers shim shims snippet snippets draft drafts config configs "
    "configuration setting settings profile profiles context contexts auth credential-helper layout breakpoint "
    "dependency dependencies dep deps lockfile transient transients"
)
"""Things that a tool has on this machine, and makes or gets again."""
_LOCAL = _NEVER | listed(
    "template templates package packages pack packs version versions toolchain toolchains task tasks note notes branch "
    "branches artifact artifacts build builds file files line lines item module modules target targets component "
    "components label labels tag tags comment comments tap taps formula cask image images credential credentials login "
    "token tokens proxy proxies mirror mirrors source sources remote remotes channel channels spec specs migration "
    "migrations lock locks device devices subproject submodule patch patches override overrides mapping env envs box "
    "boxes hook hooks lib library libs feature model models font fonts sdk sdks platform workload reference sln "
    "container containers "
    "npm pip gem yarn cargo git kubeconfig formulae overlay layer layers symlink symlinks path paths import imports"
)
"""Things that are often only on this machine: `remove` is an everyday word for them, `delete` less so."""
_READS_OR_MAKES = listed(
    "list ls get show describe info status search find help man doc docs view cat print echo log logs explain check "
    "test tests lint validate verify diff plan preview add create new init generate gen g make install update upgrade "
    "run exec start serve dev watch open edit commit grep query select completion shell x dlx build compile format fmt "
    "bench convert parse encode decode translate say import export read write insert append render bump "
    "analyze inspect audit scan count history trace debug profile record replay complete "
    "confirm choose input prompt invoke call trigger local simulate dispatch emit send replace "
    "pub publish sub subscribe request reply"
)
"""Words behind which a verb is a name, a topic or a pattern."""
KNOWN = hidden.ONLY_SAY | listed(
    "git docker podman nerdctl docker-compose kubectl k oc helm terraform tofu gh glab "
    "timew task taskwarrior todo.sh nb jrnl ledger hledger "
    "tmux screen zellij i3-msg swaymsg hyprctl wmctrl xdotool yabai bspc kitty wezterm "
    "nvm fnm volta n pyenv rbenv nodenv jenv sdk goenv tfenv tenv rustup ghcup juliaup swiftly rvm rtx xcodes "
    "poetry pdm uv rye hatch pipenv conda mamba micromamba pixi bundle bundler composer bun deno nuget dotnet rebar3 "
    "cabal stack opam luarocks cpanm pub dart flutter swift pod carthage mint kustomize vcpkg conan spack "
    "eslint prettier tsc babel webpack vite rollup esbuild swc parcel turbo nx lerna rush gulp grunt "
    "gradle gradlew mvnw sbt ant lein ninja cmake ctest meson scons "
    "convert magick ffmpeg ffprobe sox exiftool pdftk qpdf gs inkscape pandoc latexmk "
    "defaults plutil sips osascript xattr mdutil pmset "
    "rails manage.py django-admin flask artisan ember ng nest hygen plop sails yo "
    "redwood rw molecule kitchen sops pm2 forever supervisorctl watchman grype syft trivy gt "
    "pkg pkgin flatpak emerge eopkg opkg guix tlmgr raco cs jbang proto quilt stg guilt tg dasel mlr xsv qsv csvtk "
    "pdfcpu "
    "esptool esptool.py idf.py pio platformio west arduino-cli mpremote ampy probe-rs pyocd kwokctl crc skaffold "
    "sd ast-grep sg comby fastmod codemod jscodeshift semgrep grit "
    "stow atuin zoxide mcfly fzf navi fisher omf antigen zinit sheldon starship oh-my-posh "
    "kind k3d minikube ctlptl xcrun simctl avdmanager sdkmanager "
    "ansible-galaxy ansible-vault vagrant-cachier jupyter ollama code cursor codium idea subl "
    "claude codex gemini aider holdfast watchman pre-commit adb tc devlink bridge npm-run-all npm-run-all2 run-s run-p"
)
"""Programs about which rules of their own decide, or that have nothing but what is on this machine."""
TELLS_MORE = listed(
    "heroku doppler op aws-vault adb devcontainer atlas railway scalingo gigalixir render dokku eb cf clever knife"
)
"""Programs that other parts of the reader know for something else."""
_ON_THIS_MACHINE = ("local", "local.sh", "-mock")
"""How programs are named that talk to a cloud on this machine: `awslocal`, `tflocal`."""
_PIECES = lazy_pattern(r"[A-Z]?[a-z0-9]+|[A-Z]+")
_GLUED = lazy_pattern(
    r"\A(?:delete|destroy|drop|remove|terminate)(?=[a-z]{2})|(?<=[a-z]{2})(?<!\Aun)(?<!\Ano)(?:delete|destroy)\Z"
)
"""A verb that is written in one with its thing: `deletevm`, `removeuser`."""
_WIPES = lazy_pattern(r"(?i)[a-z]{2,20}[-_]?(?:erase|zeroi[sz]e)\Z|zeroi[sz]e\Z|factory-?_?reset\d?\Z|mass-?_?erase\Z")
"""Words for which a whole machine or chip is emptied, whatever tool has them: `systemerase`, `factoryreset`."""
_ABSENT = lazy_pattern(r"(?:^|\s)(?:ensure|state)\s?[=:]\s?[\"']?(?:absent|purged)\b")
"""A state that is wished for, and removes: `puppet resource user x ensure=absent`."""
_BEHIND_SIGN = lazy_pattern(r"([a-z]\w{0,30})[./]([a-z]{2,20})(?:-[a-z-]{1,40})?\Z")
"""A verb behind the name of its module: `file.remove`, `vmsvc/destroy`."""
_FOLDERS = listed(
    "src lib app apps test tests spec docs pages api cmd internal routes scripts packages components www roles "
    "playbooks charts modules tasks"
)
_NOUN = lazy_pattern(
    r"(?:user|role|key|list|group|team|cluster|database|bucket|instance|server|project|app|secret|policy|account|"
    r"volume|snapshot|backup|queue|topic|token|lake|domain|network|node|pool|member|endpoint|rule|alert|gateway)s?\Z"
)
"""How names of things end that are written in one word: `dbusers`, `customdbroles`."""
_SWITCHES = listed(
    "-y --yes -f --force -q --quiet -v --verbose -d --debug --json --yaml --non-interactive --no-input --no-prompt "
    "--assume-yes --auto-approve --no-color -i --interactive --all -a --recursive -r --live --insecure -k --silent -s "
    "--local --no-interaction -n"
)
"""Options without a value; what stands behind any other may be its value."""
_WORD = lazy_pattern(r"[A-Za-z][\w:-]*\Z")
_OPTION = lazy_pattern(
    r"--(?:delete|destroy|drop|purge|wipe|erase|terminate)(?:-(?:all|data|everything|volumes|remote))?\Z"
)
_EVERYTHING = lazy_pattern(r"--(?:nuke|(?:destroy|wipe|drop)-(?:all|everything))\Z")
_FORCED = listed("--force --purge --yes -y --auto-approve --destroy --volumes --no-confirm")
_FILE = lazy_pattern(
    r"\.(?:json[5cl]?|ya?ml|toml|ini|cfg|conf|env|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|md|txt|csv|tsv|parquet|pdf|png|"
    r"jpe?g|svg|mp[34]|flac|wav|mkv|zip|tar|gz|tgz|sql|sh|patch|diff|lock)\Z"
)
"""A file that is named behind a verb: something is taken out of it, nothing of others."""
_OPTION_VERB = lazy_pattern(r"-(?:delete|remove|destroy|erase|wipe)[A-Z]\w*\Z")
"""A verb that is written as an option of one dash: `-deleteUser`."""
_PRODUCTION = lazy_pattern(r"(?:--?[\w-]+=)?(?:prod|production|prd)\Z|--(?:prod|production|live)\Z")
_ALL = ("--all", "-all", "--everything", "--all-regions", "--all-namespaces")
_IN_TEMPORARY = lazy_pattern(
    r"--(?:path|dir|root|home|data-dir|file|db|database|config-dir|state-dir|prefix)=/tmp/[^.]"
)
"""All that it is about lies in a temporary folder."""
_MOST_WORDS = 5
_MOST_ARGS = 30
_HINT = re.compile(
    r"(?i)delet|destroy|terminat|drop|wipe|erase|nuke|obliterat|commission|teardown|provision|expunge|undeploy|implode|"
    r"remov|\brm|\bdel\b|purge|reset|clea[nr]|flush|prune|revok|empty|truncat|register|unpublish|delist|\bdown\Z|--nuke|"
    r"cancel|deactiv|evict|forget|uninstall|--live|zeroi|factory|absent|purged|"
    r"\Apr(?:o?d|oduction)\Z|-pr(?:o?d|oduction)\Z|=pr(?:o?d|oduction)\Z"
)
_LINTS = lazy_pattern(
    r"[-_]lint\Z|\A(?:yaml|json|toml|ts|css|style|html|markdown|proto|shell|sql|tf|cfn|py|go|x)lint\Z"
)
_BRIEF = re.compile("(?i)rm|del")
"""Verbs so short that they stand in many other words."""


def is_on_this_machine(program: str) -> bool:
    """Does the name of a program say that it talks to a cloud on this machine?"""
    return program.endswith(_ON_THIS_MACHINE)


def may_destroy(word: str) -> bool:
    """A first look at one word: may it be one of the verbs, or name production?"""
    if _HINT.search(word) is not None:
        return True
    return _BRIEF.search(word) is not None and not _VERBS.isdisjoint(_pieces(word))


def started(run: Run) -> Run:
    """The tool that an interpreter starts: `php bin/magento setup:uninstall` is `magento setup:uninstall`. A file with
    an ending is a script of the project, which is read elsewhere."""
    name = run.texts[0] if run.texts and programs.language(run.program) is not None else ""
    if not name or name.startswith("-") or "." in posixpath.basename(name) or " " in name:
        return run
    return replace(run, program=posixpath.basename(name).lower(), args=run.args[1:])


def destroys(run: Run) -> bool:
    """Do the words of a program that no rule knows read as if it destroyed what others have?"""
    if not run.args or not run.program[:1].isalnum() or run.program in KNOWN or is_on_this_machine(run.program):
        return False
    if _LINTS.search(run.program) and may_destroy(run.texts[0]) is False:  # it reads what it is pointed at
        return False
    words = _command_words(run.args)
    if any(map(_IN_TEMPORARY.match, run.texts[:_MOST_ARGS])):
        return False
    if _FED in run.texts and (set(words[:3]) & _MASS) and not set(words[:3]) & _NEVER:
        return True
    if any(map(_PRODUCTION.match, run.texts[:_MOST_ARGS])) and _acts(words):
        return True
    if any(map(_OPTION_VERB.match, run.texts[:_MOST_ARGS])):
        return True
    if any(map(_ABSENT.search, run.texts[:_MOST_ARGS])):
        return True
    for place, word in enumerate(words[:_MOST_WORDS]):
        if word.rpartition(":")[2] in _READS_OR_MAKES:
            return False
        if (behind := _BEHIND_SIGN.match(word)) and behind[2] in _GONE:
            return behind[1] not in _FOLDERS
        pieces = list(_pieces(word))
        verb = next((piece for piece in pieces if piece in _VERBS), "")
        if verb:
            about = [piece for piece in pieces if piece != verb]
            if verb in _TAKE and set(run.texts[:_MOST_ARGS]).intersection(_ALL) and not {*about, *words} & _LOCAL:
                return True
            return _is_about_others(verb, about, words[:place], words[place + 1 :])
    if any(_EVERYTHING.match(text) for text in run.texts[:_MOST_ARGS]):
        return True
    if words[:1] == ["down"] and not _FORCED.isdisjoint(run.texts):  # `acme down --force --purge`
        return True
    asked = any(_OPTION.match(text) for text in run.texts[:_MOST_ARGS])
    return asked and any(piece in _OTHERS for word in words[:2] for piece in _pieces(word))


def wipes(run: Run) -> bool:
    """Does a word of a call say that a whole machine or chip is emptied? Also of programs that rules know otherwise."""
    if run.program in KNOWN or not run.args:
        return False
    return any(_WIPES.match(word) for word in _command_words(run.args)[:3])


def typed_at_device(run: Run, *, is_known: bool) -> bool:
    """Is a machine without a shell told to forget what it has? `is_known`: something here knows a program of that
    name."""
    if run.remote not in _TYPES or (is_known and run.program not in _WORDS_OF_DEVICES) or run.program in KNOWN:
        return False
    words = [run.program, *(text.lower() for text in run.texts[:_MOST_ARGS] if not text.startswith(("-", "/")))]
    if words == ["reload"]:
        return True
    return any(word in _AT_DEVICES or _WIPES.match(word) for word in words[:_MOST_WORDS])


_TYPES = listed("ssh mosh telnet nc ncat netcat")
_WORDS_OF_DEVICES = listed("ip system interface write request erase delete del format clear reset")
"""First words of such machines that are programs elsewhere, too."""
_AT_DEVICES = listed(
    "erase delete remove format wipe reset-configuration reset-config factory-default factory-defaults restore-default "
    "restore-defaults write-erase"
)


def destroys_by_name(words: Sequence[str], *, whatever: bool = False) -> bool:
    """Do the words of a name hold a verb that destroys, and a thing that others have? `whatever`: any thing counts,
    but for what a tool has on this machine only."""
    about = {*words} - _VERBS
    return not _VERBS.isdisjoint(words[:3]) and not about & _NEVER and (whatever or not about.isdisjoint(_OTHERS))


_VERBS = _STRONG | _REMOVE | _TAKE | _EMPTY
_GONE = _STRONG | _REMOVE | listed("purge erase uninstall")
_MASS = _VERBS | _ENDS
_FED = "$(input)"
"""What `xargs` puts in: the words of a list."""


def _acts(words: Sequence[str]) -> bool:
    """Is the first word that says what to do one that takes something away?"""
    for word in words[:3]:
        if word in _READS_OR_MAKES:
            return False
        if word in _MASS:
            return word not in ("close", "clean", "clear", "kill") and not {*words} & _NEVER
    return False


def _command_words(args: Sequence[Arg]) -> list[str]:
    """The words of a call, as far as they may be commands and names; what an option says is left out."""
    found: list[str] = []
    before = ""
    for arg in args[:_MOST_ARGS]:
        text = arg.text
        if text == "--":
            break
        is_value = before.startswith("-") and "=" not in before and before not in _SWITCHES
        if not text.startswith("-") and not is_value:
            found.append(text)
        before = text
    return found


def _pieces(word: str) -> Iterator[str]:
    """The words in a word: `apps:destroy`, `delete-bucket`, `deleteProject`, `deletevm`."""
    if len(word) > 60 or not _WORD.match(word):
        return
    for piece in _PIECES.findall(word):
        plain = piece.lower()
        glued = None if plain in _VERBS else _GLUED.search(plain)
        rest = plain.replace(glued[0], "", 1) if glued is not None else ""
        if glued is not None and _names_others((rest,)):
            yield glued[0]
            yield rest
        else:
            yield plain


def _is_about_others(verb: str, about: Sequence[str], before: Sequence[str], after: Sequence[str]) -> bool:
    told = [*about, *(piece for word in before for piece in _pieces(word))]
    nouns = {*told, *(piece for word in after[:1] for piece in _pieces(word))}
    if after and (disposable.is_own_test(after[-1]) or any(map(_FILE.search, after))):
        return False
    if verb in _STRONG:
        if nouns & _NEVER and not {*told} & _OTHERS:
            return False
        return bool(told or after) or verb in _ALONE
    if verb in _EMPTY:
        is_data = nouns & _DATA or (verb in ("clear", "empty") and {*about} & _OTHERS)  # `domains:clear`
        return bool(is_data) and not nouns & _LOCAL
    if nouns & _LOCAL and not set(told) & _OTHERS:
        return False
    if verb in _REMOVE and (told or (len(after) > 1 and after[0] in _OTHERS)):
        return True
    return _names_others(nouns if verb in _TAKE else told)


def _names_others(nouns: Iterable[str]) -> bool:
    return any(noun in _OTHERS or _NOUN.search(noun) for noun in nouns)
