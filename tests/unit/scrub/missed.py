"""Makes texts for each class of secrets that scanners' test data showed as missed, and texts that look alike and hold
none. Values are random; prefixes are in parts, so that scanners of this repository stay quiet.
"""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from itertools import cycle, islice

from bench.scrub_tokens import ALNUM, BASE64, DIGITS, HEX, LOWER, UPPER, URLSAFE, Maker

Make = Callable[[Maker], str]
SIGNED = ALNUM + "!@#$%^&*(-_=+)"
NATURE = ("heron", "walnut", "orchid", "falcon", "meadow", "granite", "lagoon", "juniper", "cinder", "bramble")
OTHERS = ("SENTRY", "CONFLUENT", "PAYMENTS", "BILLING_V2", "MAPS", "OPENWEATHER", "COOKIE", "LEGACY_CRM")


def hexa(*sizes: int) -> Make:
    return lambda m: m.of(HEX, m.random.choice(sizes))


def of(alphabet: str, low: int, high: int = 0, before: str = "", after: str = "") -> Make:
    return lambda m: before + m.of(alphabet, low, high) + after


def other(m: Maker) -> str:
    return m.random.choice(OTHERS)


def django(m: Maker) -> str:
    """Fifty characters of letters, digits and signs; an older prefix says that it is not safe."""
    return m.random.choice(["", "django-insecure-"]) + m.of(LOWER + DIGITS, 4) + m.of(SIGNED.lower(), 42) + "a9" + "k7"


def human(m: Maker) -> str:
    """A password as people choose them, with signs that end a value in other notations."""
    word = m.random.choice(NATURE).capitalize()
    return (
        f"{word[:4]}{m.of(DIGITS, 1, 2)}{word[4:]}{m.random.choice('&#@!$%^*+=')}{m.of(ALNUM, 1, 4)}{m.of(DIGITS, 1)}"
    )


def plain(m: Maker) -> str:
    return m.random.choice(NATURE) + m.random.choice(NATURE)


def github(m: Maker) -> str:
    return "gh" + "p_" + m.of(ALNUM, 36)


def anthropic(m: Maker) -> str:
    return "sk" + "-ant-api03-" + m.of(URLSAFE, 80) + "a7"


TOKENS: tuple[Make, ...] = (
    github,
    anthropic,
    lambda m: "gl" + "pat-" + m.of(ALNUM, 20),
    lambda m: "sk" + "_live_" + m.of(ALNUM, 24),
    lambda m: "npm" + "_" + m.of(ALNUM, 36),
)


def token(m: Maker) -> str:
    return m.random.choice(TOKENS)(m)


def inserted(what: str) -> Make:
    """A token with something that nobody sees inside."""

    def made(m: Maker) -> str:
        whole = token(m)
        at = m.random.randint(2, len(whole) - 4)
        return whole[:at] + what + whole[at:]

    return made


def broken(what: str) -> Make:
    """A token that a terminal broke, behind its prefix and with eight characters or more on the next line."""

    def made(m: Maker) -> str:
        whole = token(m)
        at = m.random.randint(9, len(whole) - 12)
        return whole[:at] + what + whole[at:]

    return made


def encoded(m: Maker) -> str:
    encode = m.random.choice([b64encode, urlsafe_b64encode])
    text = m.random.choice(["{}", "token {}", "Authorization: Bearer {}", "user:{}", "export KEY={}\n"])
    return encode(text.format(token(m)).encode()).decode()


GOES: dict[str, tuple[tuple[str, Make], ...]] = {
    "hex under a key's name": tuple(
        (place, hexa(32, 64))
        for place in (
            "{o}_KEY={s}",
            'export {o}_KEY="{s}"',
            "{o}_KEY: {s}\n",
            '"{o}_KEY": "{s}"',
            "{o}_API_KEY = '{s}'",
            "docker run -e {o}_KEY={s} image",
            "ENV {o}_KEY {s}\n",
        )
    ),
    "other lengths in an environment": (
        ("{o}_KEY={s}", hexa(24, 40, 56)),
        ("export {o}_KEY={s}\n", hexa(40)),
    ),
    "behind a space": (
        ("mailbird token {s}", of(ALNUM, 28)),
        ("owlpost SECRET {s}\n", hexa(40)),
        ("the api key {s} is old", of(ALNUM, 32)),
        ("packages access_key '{s}'", of(ALNUM, 24)),
    ),
    "a prefix that speaks": (
        ("use key_{s} there", hexa(28, 32, 64)),
        ("live_{s}\n", hexa(32)),
        ("'secret_v1_{s}'", hexa(40)),
    ),
    "after many spaces": (
        ("api_key" + " " * 40 + "= {s}", of(ALNUM, 32)),
        ("password" + " " * 60 + ": {s}\n", human),
        ("SECRET_TOKEN" + "\t" * 9 + "=" + "\t" * 9 + "{s}", of(ALNUM, 40)),
        ("client_secret =" + " " * 90 + '"{s}"', of(URLSAFE, 36)),
        ('"auth_token":' + " " * 30 + '"{s}"', of(ALNUM, 30)),
    ),
    "with signs": (
        ("SECRET_KEY = '{s}'", django),
        ('SECRET_KEY="{s}"', django),
        ("DJANGO_SECRET_KEY={s}\n", django),
        ('app.secret_key = b"{s}"', django),
        ("'secret': '{s}',", django),
    ),
    "short quoted tokens": (
        ("{o}_TOKEN='{s}'", of(ALNUM, 12, 20, "live_")),
        ('{o}_TOKEN = "{s}"', of(LOWER + DIGITS, 9, 12, after="7x2")),
        ('webhook_secret: "{s}"', of(LOWER + DIGITS, 9, 12, after="4k9")),
        ('"secret": "{s}"', of(ALNUM, 10, 14, after="q8w3")),
        ("bot_token => '{s}'", of(HEX, 10, 15, after="e4f")),
    ),
    "curl": (
        ("curl -u deploy:{s} https://h.test/", human),
        ("curl -X POST \\\n  -u deploy:{s} \\\n  https://h.test/", human),
        ("curl https://h.test/ \\\n  -H 'Accept: x' \\\n  --user 'deploy:{s}'", human),
        ("curl --user deploy:'{s}' https://h.test/", human),
        ('curl -s --user "deploy":"{s}" https://h.test/', human),
        ('curl -u ":{s}" https://h.test/', human),
        ("curl -u {s}: https://h.test/", of(ALNUM, 24)),
        ("curl --user={s}: https://h.test/", of(ALNUM, 32)),
        ("curl -u\\\n  deploy:{s} https://h.test/", human),
    ),
    "authorization": tuple(
        (place, of(ALNUM + "-_", 24, 60, after="x8"))
        for place in (
            "Authorization: Api-Token {s}",
            "authorization: Token {s}",
            "-H 'Authorization: GenieKey {s}'",
            'headers["Authorization"] = "Splunk {s}"',
            '"Authorization": "ApiKey {s}"',
            "Authorization: Token token={s}",
            'Authorization: Token token="{s}"',
            "Authorization: {s}\n",
            "Proxy-Authorization: Key {s}",
        )
    ),
    "webhooks": (
        (
            "https://acme.webhook.office.com/webhookb2/3f2b1c4d-9a8e-4b7c-8d6f-1a2b3c4d5e6f@9a8e3f2b-4b7c-8d6f-1c4d-"
            "2b3c4d5e6f1a/IncomingWebhook/{s}/1a2b3c4d-4b7c-9a8e-8d6f-3f2b1c4d5e6f",
            hexa(32),
        ),
        (
            "https://outlook.office.com/webhook/3f2b1c4d-9a8e-4b7c-8d6f-1a2b3c4d5e6f@9a8e3f2b-4b7c-8d6f-1c4d-"
            "2b3c4d5e6f1a/IncomingWebhook/{s}/1a2b3c4d-4b7c-9a8e-8d6f-3f2b1c4d5e6f",
            hexa(32),
        ),
        ("https://hooks.zapier.com/hooks/catch/4812345/{s}/", of(LOWER + DIGITS, 7)),
        ("https://hooks.zapier.com/hooks/catch/4812345/{s}/silent", of(ALNUM, 7, 10)),
        ("https://quiet-fog-1234.tines.com/webhook/1f2b3c4d5e6f7a8b9c0d1f2b3c4d5e6f/{s}", hexa(32)),
        ("https://acme.tines.io/webhook/webhook-path/{s}", hexa(32)),
        ("https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/{s}", of(ALNUM, 24)),
        ("https://hook.eu2.make.com/{s}", of(LOWER + DIGITS, 32)),
        ("https://discord.com/api/webhooks/123456789012345678/{s}", of(URLSAFE, 68)),
        ("https://events.pagerduty.com/integration/{s}/enqueue", hexa(32)),
        (
            "https://prod-12.westeurope.logic.azure.com:443/workflows/1f2b/triggers/manual/paths/invoke?sp=x&sig={s}",
            of(URLSAFE, 43),
        ),
        ("https://chat.googleapis.com/v1/spaces/AAAAtest/messages?key=k&token={s}", of(URLSAFE, 43)),
    ),
    "vendors": (
        ("LaunchDarkly sdk {s}", lambda m: "sdk" + "-" + m.uuid()),
        ("LD_API={s}", lambda m: "api" + "-" + m.uuid()),
        ("mobile {s}", lambda m: "mob" + "-" + m.uuid()),
        ('launchdarkly_key = "{s}"', of(ALNUM, 40)),
        ("mailgun {s}", of(HEX, 32, before="ke" + "y-")),
        ("auth=('api', '{s}')", of(HEX, 32, before="ke" + "y-")),
        ("NEW_RELIC_LICENSE={s}", of(HEX, 36, after="NR" + "AL")),
        ("license {s} of the agent", of(HEX, 36, after="NR" + "AL")),
        ("eu license {s} of the agent", lambda m: "eu01xx" + m.of(HEX, 30) + "NR" + "AL"),
        ("ops {s}", of(HEX, 64, before="root" + "ly_")),
        ("spectral {s}", of(HEX, 32, before="spu" + "-")),
        ("SPECTRAL_DSN=https://{s}@get.spectralops.io", of(HEX, 32, before="spu" + "-")),
        ("access_token={s}", lambda m: m.of("123456789", 15) + "|" + m.of(URLSAFE, 27)),
        ("fb app token {s}", lambda m: m.of("123456789", 16) + "|" + m.of(ALNUM, 27)),
        ("sid {s}", lambda m: "00" + "D" + m.of(ALNUM, 12) + "!AQ" + m.of(ALNUM + "._", 94)),
        ("'Bearer {s}'", lambda m: "00" + "D" + m.of(ALNUM, 12) + "!" + m.of(ALNUM + "._", 96)),
        ("bitbucket {s}", lambda m: "BB" + "DC-" + m.bytes64(33)),
        ("consumer secret {s}", of(HEX, 40, before="c" + "s_")),
        ("consumer key {s}", of(HEX, 40, before="c" + "k_")),
        ("https://shop.test/wp-json/wc/v3/orders?consumer_key=x&consumer_secret={s}", of(HEX, 40, before="c" + "s_")),
    ),
    "AWS session": (
        ("session: {s}", lambda m: "IQoJb3" + "JpZ2luX2Vj" + m.of(BASE64, 200) + "=="),
        ("aws_session_token = {s}", lambda m: "FwoGZX" + "IvYXdz" + m.of(BASE64, 300) + "="),
        ('"SessionToken": "{s}"', lambda m: "IQoJb3" + "JpZ2luX2Vj" + m.of(BASE64, 200)),
        ("aws: session: {s}", lambda m: m.of(BASE64, 340)),
    ),
    "Kubernetes": (
        (
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  username: YWRtaW4=\n  value: {s}\n",
            lambda m: b64encode(human(m).encode()).decode(),
        ),
        ("data:\n  .dockerconfigjson: {s}\nkind: Secret\ntype: Opaque\n", lambda m: m.bytes64(60)),
        ("kind: Secret\nstringData:\n  pin-code: {s}\n", human),
        ("kind: Secret\ntype: Opaque\ndata:\n  # a remark\n\n  'user': \"{s}\"\n", lambda m: m.bytes64(12)),
        (
            '{{"kind": "Secret", "apiVersion": "v1", "data": {{"user": "YWRtaW4=", "thing": "{s}"}}}}',
            lambda m: m.bytes64(21),
        ),
        (
            '{{\n  "apiVersion": "v1",\n  "data": {{\n    "thing": "{s}"\n  }},\n  "kind": "Secret"\n}}',
            lambda m: m.bytes64(21),
        ),
        (
            "kind: Secret\nstringData:\n  config.yaml: |\n    host: x\n    apiUrl: {s}\ntype: Opaque\n",
            lambda m: m.bytes64(21),
        ),
    ),
    "plain words": (
        ("password: {s}\n", plain),
        ("db:\n  user: app\n  password: {s}\n  port: 1\n", plain),
        ("PASSWORD={s}\n", plain),
        ("password = '{s}'", plain),
        ("Password: {s}", plain),
        ("amqps://svc:{s}@mq.test:5671/v", plain),
        ("mongodb+srv://svc:{s}@c.test/x", plain),
        ("ldaps://cn=x:{s}@c.test/x", plain),
        ("https://svc:{s}@git.test/x.git", plain),
    ),
    "to the end": tuple(
        (place, human)
        for place in (
            "password is {s}",
            "the password was {s}, change it",
            "password: {s}\n",
            "PASSWORD={s}\n",
            "password = {s}\n",
            'password="{s}"',
            "export DB_PASSWORD={s}\n",
            "my password is {s} and the user is me",
            "password -> {s}\n",
            "The admin password is: {s}.",
        )
    ),
    "elsewhere": tuple(
        (place, human)
        for place in (
            "password:\n  {s}\n",
            "password:\n{s}\n",
            "Password\n{s}\n",
            "Password:\r\n\r\n{s}\r\n",
            "| password | {s} |",
            "| user | password |\n|---|---|\n| app | {s} |\n",
            "<tr><td>Password</td><td>{s}</td></tr>",
            "<tr>\n  <td>password</td>\n  <td><code>{s}</code></td>\n</tr>",
            "| **password** | `{s}` |",
            "password: >-\n  {s}\n",
            "DB_PASSWORD = \\\n  '{s}'",
            "password = (\n    '{s}'\n)",
        )
    ),
    "labelled": tuple(
        (place, human)
        for place in (
            '{{"key": "password", "val": "{s}"}}',
            '{{"name": "DB_PASSWORD", "value": "{s}"}}',
            '{{"Name": "password", "Value": "{s}"}}',
            '{{"val": "{s}", "key": "password"}}',
            '{{"value": "{s}", "type": "secure", "name": "db_password"}}',
            "- name: DB_PASSWORD\n  value: {s}\n",
            "- key: password\n  val: {s}\n",
            '<add key="password" value="{s}" />',
            '<property name="password" value="{s}"/>',
            '<input type="password" name="password" value="{s}">',
            '{{"ParameterKey": "DbPassword", "ParameterValue": "{s}"}}',
            '{{\\"key\\": \\"password\\", \\"val\\": \\"{s}\\"}}',
        )
    ),
    "signatures": (
        ("https://x.blob.core.windows.net/c/b?sv=2022&sig={s}", lambda m: m.of(ALNUM, 40) + "%2B" + "a%3D"),
        ("https://h.test/f?sig={s}", of(URLSAFE, 43)),
        ("https://h.test/f?sig={s}&x=1", hexa(64)),
        ("https://h.test/f?expires=1&signature={s}", of(URLSAFE, 43)),
        ("https://b.s3.amazonaws.com/k?X-Amz-Signature={s}", hexa(64)),
        ("https://storage.googleapis.com/b/k?X-Goog-Signature={s}", hexa(256)),
        ("https://cdn.test/a?Policy=x&Signature={s}&Key-Pair-Id=K", of(ALNUM + "~-", 120)),
    ),
    "hidden characters": tuple(
        (place, inserted(what))
        for what in ("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\x1b[31m", "\x1b[0m\x1b[1;32m", "\x1b]0;t\x07")
        for place in ("{s}", "see {s} there")
    ),
    "line breaks": tuple(
        (place, broken(what)) for what in ("\n", "\r\n", "\\\n", "\n    ", "\\n") for place in ("{s}\n", "x = {s}\n")
    ),
    "encoded tokens": (("{s}", encoded), ("the log said {s}", encoded), ('{{"blob": "{s}"}}', encoded)),
}


def word(m: Maker) -> str:
    return m.random.choice(NATURE)


def prose(m: Maker) -> str:
    return b64encode(" ".join(word(m) for _ in range(9)).encode()).decode()


STAYS: dict[str, tuple[tuple[str, Make], ...]] = {
    "hex under a key's name": (
        ("CACHE_KEY={s}", hexa(32, 64)),
        ("key: {s}\n", hexa(40)),
        ('"primary_key": "{s}"', hexa(32)),
        ("commit {s}", hexa(40)),
        ("{o}_KEY=$(sha256sum {s})", hexa(8)),
    ),
    "other lengths in an environment": (
        ("GIT_COMMIT={s}", hexa(40)),
        ("CACHE_KEY={s}", hexa(40)),
        ("host_key = {s}", hexa(40)),
    ),
    "behind a space": (
        ("the token {s} of a sentence", word),
        ("a secret {s}_{s}_{s}_{s}_{s} name", word),
        ("max token 20000000000000000000 {s}", word),
        ("token {s}.{s}.{s}.{s}.{s}.{s}", word),
    ),
    "a prefix that speaks": (
        ("key_{s}", hexa(8)),
        ("key_{s}_{s}_{s}_{s}", word),
        ("toolu_01{s}", of(ALNUM, 22)),
        ("commit_{s}", hexa(40)),
    ),
    "after many spaces": (
        ("password" + " " * 60 + ": {s}_{s}_field,", word),
        ("token" + " " * 40 + "= {s}.{s}({s})", word),
        ("api_key" + " " * 40 + "| the {s}", word),
    ),
    "with signs": (
        ("SECRET_KEY = os.environ['{s}']", word),
        ("SECRET_KEY = get_{s}(f'{{x}}-{{y}}')", word),
        ('"secret": "https://{s}.test/a?b=c&d=e#f"', word),
    ),
    "short quoted tokens": (
        ("NEXT_TOKEN='{s}'", word),
        ('pad_token = "<{s}>"', word),
        ('"secret": "{s}-{s}-name"', word),
        ("token='{s}'", word),
    ),
    "curl": (
        ("curl -u $USER:$PASSWORD https://{s}.test/", word),
        ("curl -u ${{USER}}:${{PASSWORD}} https://{s}.test/", word),
        ("docker run -u 1000:1000 {s}", word),
        ("curl -s https://{s}.test/a:b", word),
        ("curl -u {s} https://h.test/", word),
    ),
    "authorization": (
        ("Authorization: Bearer ${s}", of(UPPER, 12)),
        ("Authorization: Bearer <{s}>", word),
        ("Authorization: {s} is required", word),
        ('"Authorization": f"Bearer {{{s}}}"', word),
    ),
    "webhooks": (
        ("https://{s}.test/webhook/{s}/{s}", word),
        ("https://hooks.zapier.com/hooks/catch/", word),
        ("see /hooks/{s} and webhooks/{s}.md", word),
        (".tines.{s}/webhook", word),
    ),
    "vendors": (
        ("sdk-{s}-{s} and mob-{s}", word),
        ("check_{s}", hexa(40)),
        ("metrics_{s}", hexa(40)),
        ("0x00d{s}", hexa(16)),
        ("spu-{s}, key-{s}, disk_{s}", word),
        ("| 1712345678901|{s} |", word),
        ("CENTRAL {s}", hexa(36)),
    ),
    "AWS session": (
        ("session: {s}", word),
        ("session: {s}", lambda m: m.uuid()),
        ('"session": "{s}-{s}"', word),
    ),
    "Kubernetes": (
        ("kind: ConfigMap\ndata:\n  {s}: {s}-{s}\n", word),
        ("kind: SecretStore\ndata:\n  {s}: {s}-{s}\n", word),
        ("kind: Secret\nmetadata:\n  name: {s}-{s}\ntype: Opaque\n", word),
        ("kind: Secret\ndata:\n  a: {{}}\n---\nkind: ConfigMap\ndata:\n  {s}: {s}-{s}\n", word),
    ),
    "plain words": (
        ("password: str_type_long) -> {s}", word),
        ("def f({s}, password: str_{s}_long):", word),
        ("password: {s}.{s}\n", word),
        ("https://user:password@{s}.test/", word),
        ("password = {s}_{s}(x)", word),
        ("password: Optional[{s}] = None", word),
    ),
    "to the end": (
        ("the password is {s} here", word),
        ("the password is not {s}.", word),
        ("a token is a {s}, and the secret is a {s}", word),
    ),
    "elsewhere": (
        ("Password\n{s}\n", word),
        ("| {s} | password |\n|---|---|\n| {s} | {s} |\n", word),
        ("token,count\n{s},12\n", word),
        ("| password | the {s} of the user |", word),
        ("password,\n    {s}_2\n", word),
    ),
    "labelled": (
        ('{{"key": "colour", "val": "{s}"}}', human),
        ('{{"name": "password", "value": "${{PW}}", "x": "{s}"}}', word),
        ('{{"name": "password", "type": "{s}", "required": true}}', word),
        ('{{"value": "{s}4x9&2", "name": "colour"}}', word),
    ),
    "signatures": (
        ("https://h.test/f?sig={s}", word),
        ("f(signature=inspect.signature_of_{s}_function, sig={s})", word),
        ("https://h.test/f?signature={s}-{s}-{s}", word),
    ),
    "hidden characters": (
        ("{s}\u200b{s}\u200d{s}", word),
        ("\x1b[31m{s}\x1b[0m: \x1b[1m{s}\x1b[0m", word),
    ),
    "line breaks": (
        ("sk-learn\n{s}\nglpat-\n{s}\n", word),
        ("npm_config_{s}\nnpm_lifecycle_{s}\n", word),
        ("{s}\n{s}\n", hexa(40)),
    ),
    "encoded tokens": (("{s}", prose), ("data:text/plain;base64,{s}", prose)),
    "digests": (
        ("pkg/heron.py,sha256={s},120", of(URLSAFE, 43)),
        ('"sha512": "{s}"', lambda m: m.bytes64(64)),
        ('"integrity": "sha512-{s}"', lambda m: m.bytes64(64)),
        ('ETag: "{s}"', hexa(32)),
        ('ETag: W/"{s}"', of(ALNUM, 40)),
        ('"etag": "{s}"', of(URLSAFE, 43)),
        ("{s}", lambda m: m.bytes64(32)),
        ("--hash=sha256:{s}", hexa(64)),
        ("{s}  heron.tar.gz", hexa(64)),
        ("h1:{s}", lambda m: m.bytes64(32)),
        ("sha256sum = {s}", hexa(64)),
    ),
}


def texts(table: dict[str, tuple[tuple[str, Make], ...]], name: str, rounds: int) -> Iterator[tuple[str, str]]:
    """Texts of one class, each with the value in it; the same every time."""
    maker = Maker(len(name))
    pairs = table[name]
    for place, make in islice(cycle(pairs), rounds * len(pairs)):
        value = make(maker)
        yield place.format(s=value, o=other(maker)), value
