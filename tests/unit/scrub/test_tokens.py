"""Token formats, alone in a text and where sessions show them. Values are joined at run time from parts that mean
nothing by themselves."""

import random

import pytest

from holdfast.scrub import default_scrubber

pytestmark = pytest.mark.requirement("SEC-1")

DICE = random.Random(20)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def mixed(size: int) -> str:
    return "".join(DICE.choice(LETTERS + "0123456789") for _ in range(size))


def hexa(size: int) -> str:
    return "".join(DICE.choice("0123456789abcdef") for _ in range(size))


def upper(size: int) -> str:
    return "".join(DICE.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") for _ in range(size))


TOKENS = [
    ("aws-access-key", "AK" + "IA" + upper(16)),
    ("google-api-key", "AI" + "za" + mixed(35)),
    ("google-oauth-token", "ya" + "29." + mixed(60)),
    ("azure-client-secret", mixed(3) + "8" + "Q~" + mixed(34)),
    ("github-token", "gh" + "p_" + mixed(36)),
    ("github-token", "github" + "_pat_" + mixed(22) + "_" + mixed(59)),
    ("gitlab-token", "gl" + "pat-" + mixed(20)),
    ("bitbucket-token", "ATA" + "TT3" + mixed(180)),
    ("npm-token", "np" + "m_" + mixed(36)),
    ("pypi-token", "py" + "pi-AgEIcHlwaS5vcmc" + mixed(90)),
    ("anthropic-key", "sk" + "-ant-api03-" + mixed(93)),
    ("openai-key", "sk" + "-proj-" + mixed(60)),
    ("openai-key", "sk" + "-" + mixed(48)),
    ("huggingface-token", "hf" + "_" + mixed(34)),
    ("slack-token", "xo" + "xb-" + "1" * 3 + "234567890-" + mixed(24)),
    ("telegram-token", "712345678" + ":AA" + mixed(33)),
    ("twilio-key", "S" + "K" + hexa(32)),
    ("sendgrid-key", "S" + "G." + mixed(22) + "." + mixed(43)),
    ("mailgun-key", "ke" + "y-" + hexa(32)),
    ("mailchimp-key", hexa(32) + "-us" + "12"),
    ("stripe-key", "sk" + "_live_" + mixed(24)),
    ("shopify-token", "shp" + "at_" + hexa(32)),
    ("square-token", "sq" + "0atp-" + mixed(22)),
    ("facebook-token", "EA" + "A" + mixed(120)),
    ("digitalocean-token", "dop" + "_v1_" + hexa(64)),
    ("database-token", "da" + "pi" + hexa(32)),
    ("heroku-key", "HR" + "KU-AA" + mixed(58)),
    ("linear-key", "lin" + "_api_" + mixed(40)),
    ("notion-token", "nt" + "n_" + mixed(46)),
    ("airtable-token", "pa" + "t" + mixed(14) + "." + hexa(64)),
    ("figma-token", "fig" + "d_" + mixed(40)),
    ("dropbox-token", "sl" + "." + mixed(130)),
    ("postman-key", "PM" + "AK-" + hexa(24) + "-" + hexa(34)),
    ("sentry-token", "sntr" + "yu_" + hexa(64)),
    ("grafana-token", "gl" + "sa_" + mixed(32) + "_" + hexa(8)),
    ("observability-key", "NR" + "AK-" + upper(27)),
    ("vault-token", "hv" + "s." + mixed(90)),
    ("vault-token", mixed(14) + ".atlas" + "v1." + mixed(67)),
    ("doppler-token", "dp" + ".pt." + mixed(43)),
    ("package-token", "dckr" + "_pat_" + mixed(27)),
    ("rubygems-key", "ruby" + "gems_" + hexa(48)),
    ("age-key", "AGE-SECRET" + "-KEY-1" + upper(58)),
    ("discord-token", "MTA5ODc2NTQzMjEwOTg3NjU0." + mixed(6) + "." + mixed(38)),
    ("jwt", "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxIn0." + mixed(43)),
]


@pytest.mark.parametrize(
    "place",
    ["{}", "it said: {}.", 'run("{}")', "a\\n{}\\nb", "x%3D{}&y=1", "\x1b[32m{}\x1b[0m", "päss {} über"],
)
def test_a_token_goes_and_its_surroundings_stay(place: str) -> None:
    for rule, secret in TOKENS:
        scrubbed = default_scrubber().text(place.format(secret))
        assert scrubbed.text == place.format(f"[scrubbed:{rule}]")
        assert scrubbed.found == (rule,)


def test_the_specific_rule_names_what_two_rules_found() -> None:
    secret = "gh" + "p_" + mixed(36)
    scrubbed = default_scrubber().text(f"export GITHUB_TOKEN={secret}")
    assert scrubbed.text == "export GITHUB_TOKEN=[scrubbed:github-token]"


def test_a_random_token_goes_without_any_hint() -> None:
    secret = "q7Rz2Lw9Xk4" + "Tn8Vb3Gm6Yp1" + "Hd5Jc0Fs8Qa2" + "Ue7K"
    assert default_scrubber().text(f"then {secret} appeared").text == "then [scrubbed:random-token] appeared"


@pytest.mark.parametrize("between", [" and ", ", ", " | "])
def test_every_occurrence_goes(between: str) -> None:
    for rule, secret in TOKENS:
        scrubbed = default_scrubber().text(between.join([secret] * 5))
        assert scrubbed.text == between.join([f"[scrubbed:{rule}]"] * 5)
        assert scrubbed.found == (rule,) * 5


def test_a_cut_of_the_overlap_leaves_no_rest() -> None:
    inner = "gl" + "pat-" + mixed(20)
    scrubbed = default_scrubber().text(f"https://oauth2:{inner}@git.test/a.git")
    assert scrubbed.text == "https://oauth2:[scrubbed:gitlab-token]@git.test/a.git"
