"""Files with secrets, and what prints secrets: one list for all rules about what leaves this machine. Pure."""

from __future__ import annotations

from holdfast.patterns import lazy_pattern

_NAMES = (
    r"(?:\.env(?:\.(?!example|sample|template|dist|test)[\w.-]+)?|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|"
    r"id_(?:rsa|ed25519|ecdsa|dsa)|\.ssh/?|\.ssh/(?!known_hosts|config\b|\S*\.pub)\S+|\.aws(?:/\S*)?|\.gnupg\S*|"
    r"\.kube(?:/config)?|\.docker/config\.json|\.vault-token|\.password-store\S*|\.config/(?:gh|gcloud|op|rclone)\S*|"
    r"[\w.-]+\.(?:pem|p12|pfx|kdbx|jks)|\.(?:bash|zsh)_history|etc/shadow|secrets?\.(?:ya?ml|json|toml|env)|"
    r"secrets/[\w./-]{1,120}?\.(?:json|key|pem|p8|txt)|[\w.-]{0,60}service[-_]?account[\w.-]{0,60}\.json|"
    r"\.mozilla(?:/\S*)?|\.config/(?:google-chrome|chromium|BraveSoftware|microsoft-edge)\S*|"
    r"Library/(?:Keychains|Application\\? Support/(?:Google/Chrome|Firefox))\S*|logins\.json|key4\.db|Login\\? Data)"
)
FILE = lazy_pattern(rf"(?:\A|[\s/=@\"'<]){_NAMES}\Z")
"""A word that names such a file."""
_TOKENS = (
    r"(?:gh auth token|glab auth token|gcloud auth (?:application-default )?print-\S*token|"
    r"aws configure (?:get \S{0,80}(?:secret|session)\S{0,40}|export-credentials)|"
    r"aws sts (?:get-session|assume-role)\S*|az account get-access-token|"
    r"heroku (?:auth:token|config(?::get\b\S{0,80})?)|fly(?:ctl)? auth token|"
    r"git credential fill|npm token list|npm config get \S{0,120}[aA]uth\S{0,40}|doppler secrets|vercel env pull|"
    r"op (?:read|item get)|vault (?:kv get|read)|(?:go)?pass show|bw get|security find-\S+-password|secret-tool lookup|"
    r"rclone config (?:show|dump)|kubectl create token|aws secretsmanager (?:batch-)?get-secret-value|"
    r"aws ssm get-parameter\S{0,20}(?: \S{1,200}){0,6}? --with-decryption|gcloud secrets versions access|"
    r"(?:kubectl|oc)(?: -{1,2}\S{1,60}(?: [^-\s]\S{0,60})?){0,4} get secrets?(?: \S{1,80}){0,6}? (?:-o|--output)"
    r"\S{0,200}|az keyvault secret show|(?:terraform|tofu) (?:state pull|output -json)|"
    r"pulumi (?:stack export|config) --show-secrets|"
    r"(?:docker|podman|kubectl) exec(?: -{1,2}\S{1,40})* \S{1,80}(?: --)? (?:env|printenv))"
)
"""Programs that print a secret that they keep."""
_SHOWS = rf"(?:cat|base64(?: -w ?0)?|head|tail|xxd|tac) (?:-\S+ ){{0,3}}\S{{0,120}}?(?:(?<=[\s/])|~/){_NAMES}"
PRINTS_TOKEN = lazy_pattern(rf"(?:\A|\s){_TOKENS}(?=\s|\Z)")
"""The words of such a program."""
PRINTED = lazy_pattern(
    rf"(?:\$\(|`)(?:[^()`\n]{{0,200}}[;&|])?\s{{0,5}}(?:<\s{{0,3}}\S{{0,120}}?(?:(?<=[\s/<])|~/){_NAMES}|{_TOKENS}|{_SHOWS})(?=[\s)`|;&])"
)
"""A substitution that prints a secret."""
METADATA = lazy_pattern(
    r"169\.254\.169\.254/\S*(?:security-credentials|/token|identity)|metadata\.google\.internal/\S*(?:token|identity)"
)
"""The address from which a machine of a cloud gets its own keys."""
NEAR = lazy_pattern(r"(?:\A|[\s/@])(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|host\.docker\.internal)(?:[:/\s]|\Z)")
"""A word that names this machine."""
