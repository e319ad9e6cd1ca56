"""Corrections by the user: recognised in what a person typed, and in nothing else."""

from __future__ import annotations

import pytest

from holdfast.events.correction import correction_in

RULES = [
    "don't touch the generated files",
    "Don't use mocks for the database.",
    "please do not commit to main",
    "Never push to main without a review.",
    "never mock the database in integration tests",
    "always run the linter before you commit",
    "Always use uv run, never plain python.",
    "From now on, write tests first.",
    "from now on please use tabs in this project",
    "In future, ask before you delete anything.",
    "we never commit directly to main",
    "We always squash before merging.",
    "we don't use semicolons in this codebase",
    "this project never uses print for logging",
    "please use pnpm instead of npm",
    "use httpx instead of requests",
    "Use the staging database, not production.",
    "use pathlib rather than os.path",
    "No, use integer cents instead of floats.",
    "stop adding comments to every line",
    "Stop apologizing and just fix it.",
    "avoid using any in the types",
    "and don't rename the public functions",
    "ok, but don't change the API",
    "No, we never mock the clock.",
    "Nice. One more thing: always run make check before pushing.",
    "Great, thanks. Please never edit the lockfile by hand.",
    "Looks good. From now on, keep functions under 40 lines.",
    "Remember, we never deploy on Fridays.",
    "hey, don't run the full suite, it takes an hour",
    "please don't write to /etc",
    "The build is red again.\nDon't merge anything until it is green.",
]
REPAIRS = [
    "no, I said half-up rounding",
    "No, that's not what I asked for.",
    "That's not what I meant.",
    "I told you to keep the old endpoint.",
    "I said no new dependencies.",
    "as I said, the column is nullable",
    "you forgot the migration",
    "You ignored the failing test.",
    "no, it's the other file",
    "I didn't ask for a refactoring.",
    "wrong, the port is 8443",
    "no! I meant the staging cluster",
]
NONE = [
    "",
    "yes",
    "thanks",
    "continue",
    "I don't know why it fails",
    "I don't think that is right, can you check?",
    "don't worry about it",
    "never mind",
    "Nevermind, I found it.",
    "no problem",
    "no worries, take your time",
    "Why do we never commit to main?",
    "Should we always use uv?",
    "Do we use tabs instead of spaces?",
    "Can you use httpx instead of requests?",
    "Explain why people always use semicolons.",
    "Fix the login loop and add a test.",
    "The page never loads when the cookie expired.",
    "The job always fails at midnight.",
    "It always returns None instead of raising.",
    "Users don't see the banner any more.",
    "The API no longer requires a token, update the client.",
    "Write a function that never returns.",
    "Rename use_cache to keep_cache.",
    "What happens if we don't commit?",
    "if we never close the file, does it leak?",
    'The README says "never push to main", is that still true?',
    'Translate "don\'t use this door" into French.',
    "The log has: `do not use in production`",
    "> don't use mocks\nwhat does this comment mean?",
    "```\nalways use uv\n```\nwhat does this script print?",
    "<task-notification>\nDon't use mocks.\n</task-notification>",
    "<command-name>/review</command-name> always use uv",
    "/review never use mocks",
    "Review this diff:\n+ # never use mocks\n- # always use uv",
    "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: do not use this",
    "2026-01-01 10:00:00 always run this\n2026-01-01 10:00:01 never run that",
    "$ never run this\nwhat is this prompt?",
    "Here is the style guide, summarise it:\n\n" + "\n".join(f"Rule {n}: never use rule {n}." for n in range(60)),
    "I never knew that, interesting",
    "I have always wondered how this works",
    "no idea, you tell me",
    "no need to run the tests",
    "no rush",
    "Don't forget to smile",
    "don't hesitate to ask",
    "how do I stop using sudo here?",
    "add an option --no-cache instead of the variable",
    "is it better to return early rather than nest?",
    "show me where we use requests instead of httpx",
    "ok",
    "no",
    "no.",
    "stop",
    "wait",
    "日本語でお願いします",
]  # fmt: skip


@pytest.mark.requirement("MEM-31")
@pytest.mark.parametrize("prompt", RULES)
def test_how_things_are_done_here_is_a_rule(prompt: str) -> None:
    found = correction_in(prompt)
    assert found is not None
    assert found.kind == "rule"
    assert found.text in prompt, "the user's own words"


@pytest.mark.requirement("MEM-31")
@pytest.mark.parametrize("prompt", REPAIRS)
def test_what_the_agent_got_wrong_is_a_repair(prompt: str) -> None:
    found = correction_in(prompt)
    assert found is not None
    assert found.kind == "repair"


@pytest.mark.requirement("MEM-31")
@pytest.mark.parametrize("prompt", NONE)
def test_what_is_asked_quoted_pasted_or_told_is_none(prompt: str) -> None:
    assert correction_in(prompt) is None


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("text", ["<a>" * 50_000, "no, " * 50_000, "don't " * 50_000, '"' * 100_000, "\n> x" * 50_000])
def test_long_texts_are_read_in_part(text: str) -> None:
    assert correction_in(text) == correction_in(text + text), "what stands far behind is not read"


@pytest.mark.requirement("MEM-31")
def test_a_no_with_how_things_are_is_a_rule() -> None:
    for prompt in (
        "no, keys never carry the locale here: one cache for all",
        "No! Totals are integers in cents, we never use floats for money.",
        "No! total() never takes floats.",
    ):
        found = correction_in(prompt)
        assert found is not None, prompt
        assert found.kind == "rule", prompt
    for prompt in (
        "no, leave it",
        "no problem, take your time",
        "no idea, we never met. Who is it?",
        "No need, thanks.",
    ):
        assert correction_in(prompt) is None, prompt


CORRECTED = [
    "No, the fee is charged per seat, not per tenant.",
    "Stop adding comments to every line.",
    "Please never force-push to a shared branch.",
    "Always run the linter before you commit.",
    "From now on, write the tests first.",
    "We don't mock the clock in this codebase, inject it.",
    "Don't catch BaseException.",
    "Use pathlib instead of os.path.",
    "Prefer composition over inheritance here, not mixins.",
    "I told you to keep the old endpoint.",
    "That's not what I asked for: the button goes on the left.",
    "You forgot the migration again.",
    "No. Revert that, I wanted only the header changed.",
    "In future please squash the commits before merging.",
    "Our team never uses wildcard imports.",
    "As I said, the API must stay backwards compatible.",
    "Never log the email address of a customer.",
    "wrong, the timezone is Europe/Oslo",
    "Don't touch the generated files under gen/.",
    "please don't reformat files you did not change",
    "We only deploy on Tuesdays.",
    "no, we always round down for refunds",
    "Do not use print for logging, use structlog.",
    "You misunderstood: the limit is per user and not per IP.",
    "Avoid global state in the handlers.",
    "No no, keep the old name in the public API.",
    "This project never vendors dependencies.",
    "Going forward, every endpoint needs an OpenAPI description.",
    "I didn't ask you to upgrade React.",
    "ok, but never push without running the e2e tests",
    "You should use the existing helper instead of writing a new one.",
    "Please stop apologizing and just fix it.",
    "nope, that flag is --no-cache, not --nocache",
    "Remember: we never store raw card numbers.",
    "Never vendor third-party code in this repo.",
    "please do not introduce new dependencies without asking",
    "we no longer support Python 3.9, drop the shims",
    "Don't parallelise these tests, they share a port.",
    "No, only the admins may see the audit log.",
    "that's not what I wanted, I asked for a dry run first",
    "Always pin the base image by digest.",
    "We always prefix branches with the ticket number.",
    "You keep changing the public signature, leave it as it is.",
    "no, the header is X-Request-Id, not Request-Id",
    "stop using emojis in commit messages",
    "And never delete a migration that has shipped.",
    "Use tabs, not spaces.",
    "our team only merges with two approvals",
    "I meant the other repository, the one with the Helm charts.",
    "Wrong file: I meant config.prod.yaml.",
    "avoid abbreviations in variable names",
    "hey, don't guess the schema, read it",
]
NOT_CORRECTED = [
    "Always fails with a timeout on CI",
    "always prints the header twice",
    "Never finishes on Windows",
    "Avoid the crash when the file is missing",
    "Stop crashing on empty input",
    "In the future we might move to Postgres",
    "Why don't we mock the clock here?",
    "Can you always run the linter before a commit?",
    'The docs say "never use eval in templates", is that still true?',
    "I don't know which endpoint is slow.",
    "Never mind, it works now.",
    "Add a flag so that the tool never overwrites files.",
    "The server should always return JSON, can you check why it does not?",
    "Users never see the banner, find out why.",
    "Write a function that always returns a list.",
    "The job never finishes when the queue is empty.",
    "no worries, take your time",
    "No, thanks.",
    "We don't have a staging server yet.",
    "Don't you think the cache is too big?",
    "It always fails on the second run.",
    "> never use floats for money",
    "Explain the difference between never and unknown in TypeScript.",
    "Why did you use pathlib instead of os.path?",
    "Should we use uv instead of pip?",
    'What does "don\'t repeat yourself" mean here?',
    'Fix the test that says "always passes".',
    "Make the button red instead of blue.",
    "If the token is missing, don't crash, return 401.",
    "The linter complains: Do not use 'any' as a type.",
    "I never saw this error before, what is it?",
    "Our users always forget their passwords, add a reset link.",
    "Don't worry about the warnings.",
    "Add validation so we don't store empty names.",
    "The customer said we never answered the ticket.",
    "Is it true that Go never frees the stack?",
    "don't forget to run the tests",
    "Rename the variable, it is not a counter.",
    "The test does not use the fixture, please repair it.",
    "Never seen that one, look it up.",
    "ERROR: do not use this function in production",
    "Don't we have a helper for that?",
    "we never got an answer from support, ping them again",
    "The tests don't clean up, please look into it.",
    "Never heard of it, what does it do?",
    "Nothing works, no idea why.",
    "No, it was the proxy that was down, you were right.",
    "Do the same for the exporter.",
    "Always On is the name of the feature, document it.",
    "Only two tests fail now.",
    "Could you stop the server and always start it with --debug?",
    "The button must not be visible for guests, implement that.",
    "This project has no tests yet, add some.",
    "don't have access to that bucket, use the other one",
    "Log a warning if the pool is never used.",
    "What would you use instead of Celery?",
    "No changes needed here, go on with the next file.",
    "I always forget the flag, what was it?",
    "we only have two weeks left",
]


@pytest.mark.requirement("MEM-31")
def test_a_correction_is_known_by_its_shape_and_not_by_its_verb() -> None:
    assert [each for each in CORRECTED if correction_in(each) is None] == []
    assert [each for each in NOT_CORRECTED if correction_in(each) is not None] == []


OTHER_RULES = [
    "benutze nie mocks für die Datenbank",
    "Ändere die generierten Dateien nicht.",
    "bitte committe nicht auf main",
    "Nie direkt auf main pushen!",
    "immer erst die Tests laufen lassen",
    "Wir verwenden hier keine Semikolons.",
    "wir mocken nie die Datenbank",
    "Ab jetzt bitte Tabs statt Leerzeichen.",
    "Nimm pnpm statt npm.",
    "Nein, wir runden nie pro Zeile.",
    "In Zukunft frag vorher.",
    "no uses mocks para la base de datos",
    "Nunca hagas push a main sin revisión.",
    "siempre ejecuta el linter antes de commitear",
    "nosotros nunca usamos floats para dinero",
    "usa pnpm en lugar de npm",
    "A partir de ahora escribe primero los tests.",
    "por favor no toques los ficheros generados",
    "n'utilise jamais de mocks pour la base",
    "ne touche pas aux fichiers générés",
    "Utilise toujours uv run.",
    "on ne commite jamais sur main",
    "utilise pnpm au lieu de npm",
    "À partir de maintenant, écris les tests d'abord.",
    "s'il te plaît, ne pousse pas sur main",
    "Toujours lancer les tests avant de pousser.",
    "Il ne faut jamais modifier le lockfile à la main.",
    "Du sollst keine neuen Pakete installieren.",
    "bei uns werden Tabellen nie umbenannt",
    "Denk dran: Preise sind immer in Cent.",
    "deja el módulo de pagos como está",
    "Recuerda: los precios van siempre en céntimos.",
    "laisse ce module tranquille",
    "Rappel : les prix sont toujours en centimes.",
]
OTHER_REPAIRS = [
    "nein, ich sagte kaufmännisch runden",
    "Nein, das habe ich nicht gemeint.",
    "Ich habe doch gesagt, keine neuen Abhängigkeiten.",
    "du hast die Migration vergessen",
    "Falsch, der Port ist 8443.",
    "no, dije redondeo hacia arriba",
    "Eso no es lo que pedí.",
    "te dije que mantuvieras el endpoint viejo",
    "olvidaste la migración",
    "non, j'ai dit arrondi supérieur",
    "Ce n'est pas ce que j'ai demandé.",
    "je t'ai dit de garder l'ancien endpoint",
    "tu as oublié la migration",
    "non, c'est l'autre fichier",
    "so nicht, nimm die vorhandene Funktion",
    "das hatten wir doch schon geklärt: UTC überall",
    "así no, usa la función que ya existe",
    "ya lo habíamos hablado: todo en UTC",
    "pas comme ça, prends la fonction existante",
    "on en a déjà parlé : tout en UTC",
]
OTHER_NONE = [
    "Seite immer leer nach dem Login",
    "Keine Treffer in der Suche",
    "Keine Daten im Export von gestern",
    "Ab heute schlägt der Build fehl",
    "Man sieht nie, wer das geändert hat",
    "Ne marche pas avec Safari",
    "Pas de résultats dans la recherche",
    "A partir de maintenant le build échoue",
    "On voit toujours la même erreur",
    "Nada de datos en la tabla",
    "Desde ahora el build falla siempre",
    "Warum committen wir nie auf main?",
    "ich weiß nicht, warum es fehlschlägt",
    "kein Problem",
    "keine Ahnung, sag du es mir",
    "Der Job schlägt immer um Mitternacht fehl.",
    "Die Seite lädt nie, wenn das Cookie abgelaufen ist.",
    "Das funktioniert immer noch nicht.",
    "Sollen wir immer uv benutzen?",
    "Schreib eine Funktion, die nie zurückkehrt.",
    "Füge eine Option hinzu, die nichts löscht.",
    "Nutzer sehen das Banner nicht mehr.",
    "no sé por qué falla",
    "El trabajo siempre falla a medianoche.",
    "La página nunca carga cuando la cookie ha caducado.",
    "no funciona el login",
    "No te preocupes por eso.",
    "¿Por qué nunca hacemos push a main?",
    "Escribe una función que nunca termina.",
    "no hay prisa",
    "No pasa nada, gracias",
    "je ne sais pas pourquoi ça échoue",
    "La page ne charge jamais quand le cookie a expiré.",
    "Le job échoue toujours à minuit.",
    "pas de souci",
    "Pourquoi on ne commite jamais sur main ?",
    "Ça ne marche toujours pas.",
    "Écris une fonction qui ne retourne jamais.",
    "non merci, c'est bon",
    "n'hésite pas à demander",
    "Corrige le bug et ajoute un test.",
    "danke, passt so",
    "gracias, perfecto",
    "La sauvegarde n'a jamais fonctionné.",
    "Erkläre, warum man nie floats nehmen soll.",
    "Das haben wir noch nie so gemacht.",
    "nein, alles bestens",
    "Ich sagte der Kollegin, dass wir fertig sind.",
    "no, nada más",
    "le dije al cliente que mañana está listo",
    "non, c'est tout",
    "j'ai dit au client que c'est prêt",
    "no worries, take your time",
]


@pytest.mark.requirement("MEM-31")
def test_german_spanish_and_french_corrections_are_recognised_and_nothing_else() -> None:
    wrong = []
    for kind, prompts in (("rule", OTHER_RULES), ("repair", OTHER_REPAIRS), ("", OTHER_NONE)):
        for prompt in prompts:
            found = correction_in(prompt)
            if (found.kind if found else "") != kind:
                wrong.append((kind, found.kind if found else "", prompt))
    assert wrong == []
    for prompt in (
        'Übersetze "benutze nie mocks" ins Englische.',
        "> ne touche pas au lockfile\nque veut dire ce texte ?",
    ):
        assert correction_in(prompt) is None, "quoted"
