"""What a program written inline does besides files and shells: secrets that leave, services that lose data, texts that
are decoded and run, everything that is ended. Known by its calls, in any language. Pure; linear."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.commandline.inline.service_calls import deletes_at_service
from holdfast.patterns import lazy_pattern

SENDS_SECRETS = "sends-secrets"
SERVICE_DELETES = "service-deletes"
ENDS_EVERYTHING = "ends-everything"
DECODED = "decoded-program"
FETCHED = "fetched-program"
"""What it runs comes from the network."""
REMOTE_SHELL = "remote-shell"
MAILS_MANY = "mails-many"
FORKS = "calls-itself"
"""The program of the rule about processes without end."""

_SECRET_FILE = lazy_pattern(
    r"\.netrc|\.pgpass|\.git-credentials|\.aws/|\.ssh/(?!known_hosts|config\b)(?!\w+\.pub)|id_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|"
    r"[\"'/]\.env[\"'.]|\.kube/config|\.docker/config\.json|\.gnupg|\.vault-token|/etc/shadow|\.npmrc|\.pypirc|"
    r"\bos\.environ\b(?!\s*(?:\[|\.get|\.setdefault|\.pop|\.copy))|\bprocess\.env\b(?!\s*(?:\.|\[|\?))|"
    r"\bENV\.(?:to_h|to_a|inspect|map|to_json)|%ENV\b|\bgetenv\(\s*\)|\$_ENV\b(?!\[)"
)
_SENDS = lazy_pattern(
    r"\b(?:requests\.(?:post|put|get|request)|urlopen|urllib\.request|http\.client|HTTPSConnection|HTTPConnection|httpx\.\w+|"
    r"aiohttp|socket\.(?:socket|create_connection)|smtplib|ftplib|paramiko|fetch\s*\(|axios|https?\.(?:request|get)\s*\(|"
    r"net\.(?:connect|createConnection)|XMLHttpRequest|Net::HTTP|TCPSocket|URI\.open|LWP|IO::Socket|HTTP::Tiny|fsockopen|"
    r"curl_exec|curl_init|file_get_contents\s*\(\s*[\"']https?:|stream_socket_client|gethostbyname)"
)
_SERVICE = lazy_pattern(
    r"\.(?:delete_topics|deleteTopics|delete_bucket|deleteBucket|delete_objects|deleteObjects|delete_table|deleteTable|"
    r"delete_stack|delete_db_instance|delete_db_cluster|terminate_instances|terminateInstances|delete_volume|delete_snapshot|"
    r"delete_repository|delete_repo|delete_queue|purge_queue|deleteQueue|purgeQueue|queue_delete|queue_purge|delete_stream|deleteStream|purge_stream|purgeStream|control\.purge|delete_records|deleteRecords|obliterate|"
    r"delete_secret|delete_collection|deleteCollection|drop_collection|dropCollection|drop_database|dropDatabase|"
    r"delete_namespace\w*|delete_by_query|deleteByQuery|delete_index|delete_project|delete_user_pool|delete_hosted_zone|"
    r"flushall|flushdb|flushAll|flushDb|drop_all|dropAll|drop_table|dropTable|dropSchema|dropAllTables|delete_all|destroy_all|"
    r"truncate_table|volumes\.prune)\s*\(?|"
    r"\bDelete(?:Bucket|Objects?|Table|Stack|DBInstance|Queue|Topic|Collection|Cluster|Secret|Repository)Command\b|"
    r"\bdb(?:RemoveTable|SendStatement\([^\n]{0,80}[\"']\s*(?i:drop|truncate))\b|\bindices\.delete\s*\(|\.(?:deleteMany|delete_many|remove)\s*\(\s*\{\s*\}|\.(?:deleteMany|delete_many)\s*\(\s*\)|"
    r"\.objects\.(?:all\(\)\.)?delete\(\s*\)|\.objects\.filter\(\)\.delete\(|\.query\.delete\(\)|\.destroy\s*\(\s*\{\s*(?:truncate|where:\s*\{\s*\})|"
    r"\.objects\.all\(\)\.delete|\.sync\s*\(\s*\{\s*force:\s*true|\bbucket\.(?:objects|object_versions)\.(?:all\(\)\.)?delete\("
)
_ENDS = lazy_pattern(
    r"\bos\.kill(?:pg)?\s*\(\s*(?:-1|0|1)\s*,|\bprocess\.kill\s*\(\s*(?:-1|1)\b|\bProcess\.kill\s*\(?\s*[^,]+,\s*-1\b|"
    r"\bkill\s*\(?\s*[\"']?(?:9|KILL|TERM|15)[\"']?\s*(?:,|=>)\s*-1\b|\bposix_kill\s*\(\s*-1\b"
)
_RUNS = lazy_pattern(
    r"\b(?:exec|eval|instance_eval|class_eval|system|popen|spawn\w*|execSync|execFileSync|run|Popen|check_call|call|"
    r"passthru|shell_exec|Function|runInThisContext|runInNewContext|assert|compile|qx|create_function)\b"
)
_DECODES = lazy_pattern(
    r"\b(?:b64decode|b32decode|b16decode|b85decode|a85decode|decodebytes|unhexlify|fromhex|decode64|strict_decode64|"
    r"urlsafe_decode64|decode_base64|base64_decode|hex2bin|str_rot13|convert_uudecode|gzinflate|gzuncompress|fromCharCode|"
    r"atob|unpack1?|zlib\.decompress|marshal\.loads|codecs\.decode|inflateSync|gunzipSync)\b|"
    r"\.pack\s*\(?\s*[\"'][HhmuBbCU]|\bpack\s*\(?\s*[\"'][HhmuBbCU]|Buffer\.from\s*\([^)]*[\"'](?:base64|hex)[\"']|"
    r"bytes\s*\(\s*\[|bytearray\s*\(\s*\[|(?:chr\s*\([^)]*\)\s*[+.]\s*){3}|map\s*\(\s*chr\b|[\"'][\"']\.join\s*\(\s*chr\b"
)
_STATEMENT = lazy_pattern(
    r"(?:\$(?:execute|query)Raw(?:Unsafe)?|\b(?:execute\w*|query\w*|raw|exec|do|exec_driver_sql|sql|text|run|all|prepare|"
    r"multi_query|statement|unprepared|unsafe|simple|exec_query|exec_params|async_exec|Exec|Query|cursor\(\)\.execute))"
    r"\s*\(?\s*(?:sql\s*)?(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)"
)


_ROWS = lazy_pattern(
    r"\.(?:find_each|find_in_batches|each|in_batches|map)\s*(?:\([^()\n]{0,60}\))?\s*\(?\s*&:(?:destroy|delete|really_destroy)!?|"
    r"(?:::|->)truncate\s*\(\s*\)|(?:::query\(\s*\)|::all\(\s*\)(?:->each)?|DB::table\(\s*['\"][\w.]+['\"]\s*\)|::whereNotNull\([^()]{0,40}\)|"
    r"::where\(\s*['\"]id['\"]\s*,\s*['\"]>=?['\"]\s*,\s*[01]\s*\))->(?:force)?[dD]elete(?:\s*\(|\b)|\bSchema::drop\w*\s*\(|"
    r"\.objects\.(?:filter|exclude)\(\s*(?:(?:id|pk)__(?:gt|gte)\s*=\s*[01]|(?:id|pk)__isnull\s*=\s*False)?\s*\)\.delete\(|"
    r"\bfor\s+(\w+)\s+in\s+[\w.]+\.objects\.all\(\s*\)\s*:\s*\1\.delete\(|\b(\w+)\.delete\(\s*\)\s+for\s+\2\s+in\s+[\w.]+\.objects\.all\(|"
    r"\bRepo\.delete_all\s*\(?\s*[A-Z][\w.]*\s*(?:\)|$)|\.query\(\s*[A-Z]\w*\s*\)\.delete\(|"
    r"\bexecute\(\s*\w+\.delete\(\s*\)\s*\)|\bscan_iter\(\s*(?:(?:match\s*=\s*)?['\"]\*['\"]\s*)?\)[^\n]{0,40}[\s\S]{0,80}\.(?:delete|unlink)\(|"
    r"\.collections\(\s*\)[\s\S]{0,120}\.drop\(\s*\)|"
    r"\bexecute\(\s*(?:\w+\.)?delete\(\s*[A-Z]\w*\s*\)\s*\)|\bknex\(\s*['\"]\w+['\"]\s*\)\.(?:del|delete|truncate)\(\s*\)|"
    r"\b(?:getRepository|repository)\([^()\n]{0,60}\)\.clear\(|\.synchronize\(\s*true|\bActiveRecord::Tasks::DatabaseTasks\.(?:drop|purge)"
)
"""All rows of a table are deleted, by the words of a mapper of objects."""
_PATHS = lazy_pattern(
    r"\b(?:Pathname|Dir)(?:\.\w{1,20})?\s?[(\[][^()\[\]\n]{0,200}[)\]](?:\.children)?\.(?:each|map)\s?\(?\s?&:delete\b"
)
"""Paths that are listed and deleted: no rows."""


_DOCUMENTS = lazy_pattern(r"\b(?:MongoClient|pymongo|mongoose|motor_asyncio|mongoengine)\b|[\"']mongodb[\"']")
_DROPPED = lazy_pattern(r"\.drop\(\s*\)")
"""A collection of a document database, which a call without words drops."""


_SOCKET = lazy_pattern(
    r"\bsocket\.(?:socket|create_connection)\b|\bsocket\s*\(|\bTCPSocket\b|\bp?fsockopen\s*\(|\bIO::Socket\b|"
    r"\bnet\.(?:connect|createConnection|Socket)\b|require\(\s*[\"']net[\"']\s*\)|\bstream_socket_client\b"
)
_TIED = lazy_pattern(
    r"\bdup2\b|\bpty\.spawn\b|[<>]&\s*\$?\w|\breopen\b|\bfdopen\b|\.pipe\s*\(|<&\d|\bproc_open\b|"
    r"\bstdin\s*=\s*\w+(?:\.fileno|\b)|\$~->fdopen"
)
_SHELL = lazy_pattern(r"[\"'`/](?:ba|z|da|k|a)?sh\b|\bcmd\.exe\b|\bpowershell\b")
_FORKS = lazy_pattern(
    r"\bwhile\s*\(?\s*(?:True|true|1)\s*\)?\s*(?::|\{|do\b)?\s*(?:\w+\s*=\s*)?(?:os\.|Process\.|posix_?)?fork\b|"
    r"\bfork\s*(?:\(\s*\)|\{[^{}]*\})?\s+while\s+(?:fork|true|1)\b|\bfork\s+while\s+fork|"
    r"\bloop\s*(?:\{|do)\s*(?:Process\.)?fork\b|\bfor\s*\(\s*;\s*;\s*\)\s*\{?\s*fork\b"
)
_LOOPBACK = lazy_pattern(r"[\"'](?:localhost|127\.\d+\.\d+\.\d+|::1)[\"':]")


def marks(text: str) -> Iterator[str]:
    """The names of what this program does, each once: they stand for programs in the rules."""
    deletes = (
        _SERVICE.search(text)
        or _ROWS.search(_PATHS.sub("", text))
        or (_DOCUMENTS.search(text) and _DROPPED.search(text))
    )
    if (deletes or deletes_at_service(text) or _is_replaced(text)) and not is_in_memory(text):
        yield SERVICE_DELETES
    if _ENDS.search(text):
        yield ENDS_EVERYTHING
    if _PEOPLE.search(text) and _EACH.search(text) and _MAILS.search(text) and not _TRIES_MAIL.search(text):
        yield MAILS_MANY
    if _SECRET_FILE.search(text) and (sent := _SENDS.search(text)) and not _is_local(text, sent.end()):
        yield SENDS_SECRETS
    if _DECODES.search(text) and _RUNS.search(text) and _runs_decoded(text):
        yield DECODED
    if (fetched := _FETCHES.search(text)) and _RUNS_VALUE.search(text) and not _is_local(text, fetched.end()):
        yield FETCHED
    if _FORKS.search(text):
        yield FORKS
    if _SOCKET.search(text) and _TIED.search(text) and _SHELL.search(text) and not _LOOPBACK.search(text):
        yield REMOTE_SHELL


def fetches(text: str) -> bool:
    """Does a program read from the network?"""
    return _FETCHES.search(text) is not None


def _is_replaced(text: str) -> bool:
    """Does a frame take the place of a table in production: `to_sql('orders', e, if_exists='replace')`?"""
    return _REPLACES.search(text) is not None and _PRODUCTION.search(text) is not None


_REPLACES = lazy_pattern(
    r"\bif_exists\s*=\s*[\"']replace[\"']|\b(?:dbWriteTable|copy_to)\([^\n]{0,300}\boverwrite\s*=\s*T|"
    r"\.mode\(\s*[\"']overwrite[\"']\s*\)[^\n]{0,200}\.(?:jdbc|saveAsTable|insertInto)\(|"
    r"\bwrite_disposition\s*=\s*[\"']WRITE_TRUNCATE[\"']"
)
_PRODUCTION = lazy_pattern(r"(?i)(?<![a-z])prod(?:uction)?(?![a-z])")
_PEOPLE = lazy_pattern(
    r"(?i)[\"'/](?:[\w-]{0,40}[_-])?(?:customers?|users?|subscribers?|recipients?|contacts|members|leads|e?mails?|phones?|people)"
    r"(?:[_-][\w-]{0,40})?\.(?:csv|json\w?|txt|tsv|ya?ml)\b"
)
"""A file that names people."""
_EACH = lazy_pattern(r"(?i)\bfor\b|\b(?:for)?each\b|\.map\b|\bwhile\b")
_MAILS = lazy_pattern(
    r"\b(?:sendmail|send_message|sendMail|send_email|sendEmail|send_mail|Emails?\.send|messages\.create|Mail\.deliver|sendMessage)\b"
    r"|\.send\s*\(\s*\{[^{}]{0,200}\bto\b"
)
_TRIES_MAIL = lazy_pattern(r"(?i)localhost|127\.0\.0\.1|mailhog|mailpit|mailtrap|ethereal|sandbox|dry_?run\s*=\s*True")
_LOCAL = lazy_pattern(r"(?:https?://)?(?:localhost|127\.0\.0\.1|\[::1\])\b")
_ADDRESS = lazy_pattern(r"https?://[^\s\"'/]+")


def _is_local(text: str, place: int) -> bool:
    addresses = _ADDRESS.findall(text)
    return bool(addresses) and all(_LOCAL.match(address) for address in addresses)


_FETCHES = lazy_pattern(
    r"\burlopen\b|\burlretrieve\b|\b(?:requests|httpx|urllib3|session|client)\.(?:get|request)\s*\(|\bfetch\s*\(|\baxios\b|"
    r"\bhttps?\.(?:get|request)\s*\(|\bURI\.open\b|\bopen-uri\b|\bNet::HTTP\b|\bHTTP::Tiny\b|\bLWP\b|"
    r"\b(?:file_get_contents|get|getstore|mirror)\s*\(?\s*[\"']https?:|\bcurl_exec\b|\brequire\(\s*[\"'](?:node:)?https?[\"']\s*\)"
)
_RUNS_VALUE = lazy_pattern(
    r"(?<![.\w$])(?<!->)(?:exec|eval|Function|class_eval|instance_eval)(?:\s*\(\s*|\s+)(?![\"'`){=]|\s)|\.then\s*\(\s*eval\b|"
    r"\b(?:runInThisContext|runInNewContext)\s*\("
)
"""A value is run as a program. A text that stands there can be read, and `eval { … }` of Perl is none."""


_NEAR = lazy_pattern(
    r"\b(?:exec|eval|instance_eval|class_eval|system|popen|execSync|Function|shell_exec|passthru|assert|compile|check_call|"
    r"Popen|run|call|spawn\w*|qx)\s*\(?[^;\n)]{0,200}?(?:" + _DECODES.pattern + r")"
)


_IMPORTED = lazy_pattern(r"\b__import__\s{0,9}\(\s{0,9}[\"']([\w.]{1,40})[\"']\s{0,9}\)")


def _runs_decoded(text: str) -> bool:
    """Does what is decoded go into a call that runs it, in the same statement or by a name?"""
    text = _IMPORTED.sub(r"\1", text)
    if _NEAR.search(text):
        return True
    for name in re.findall(r"\b([A-Za-z_]\w*)\s*=[^=\n;][^;\n]{0,200}?(?:" + _DECODES.pattern + r")", text):
        named = name if isinstance(name, str) else name[0]
        if re.search(
            rf"\b(?:exec|eval|system|popen|execSync|Function|run|Popen|call)\s*\(?\s*\$?{re.escape(named)}\b", text
        ):
            return True
    return False


def statements(text: str) -> list[str]:
    """Texts of SQL that a program of another language hands to a database."""
    found = [next((group for group in match.groups() if group is not None), "") for match in _STATEMENT.finditer(text)]
    destroys = any(re.search(r"(?i)\b(?:drop|truncate|delete|update|alter)\b", each) for each in found)
    return [_FILLED.sub("computed", each) for each in found if re.match(r"\s*[A-Za-z]", each)] if destroys else []


_FILLED = lazy_pattern(r"#\{[^{}]*\}|\$\{[^{}]*\}|\{\$\w[^{}]*\}|%s|(?<![\w'])\$\w+")
"""What a text computes when it runs."""


_IN_MEMORY = lazy_pattern(
    r":memory:|mode=memory|sqlite://[\"')]|sqlite:////(?:tmp|var/tmp)/(?!\.\.)\w|\bMongoMemoryServer\b|mongodb-memory-server|\bmongomock\b|\bfakeredis\b|"
    r"ioredis-mock|redis-mock|\bpg-mem\b|\bnewDb\(|\bPGlite\(\s*\)|jdbc:h2:mem|\bmoto\b|mock_aws|aws-sdk-client-mock|"
    r"fake-indexeddb|\bmemory://|\bTemporaryDirectory\(|\bmkdtemp\(|\bmktmpdir\b"
)
_ELSEWHERE = lazy_pattern(
    r"(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|mssql)://(?!(?:\w+:\w+@)?(?:localhost|127\.0\.0\.1)\b)|"
    r"\b(?:environ|process\.env|ENV|getenv)\b.{0,4}(?i:database|db|redis|mongo|pg|mysql)"
)


def is_in_memory(text: str) -> bool:
    """Does a program work on a database that is gone with it, and on no other?"""
    return _IN_MEMORY.search(text) is not None and not _ELSEWHERE.search(text)
