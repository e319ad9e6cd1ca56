"""Corrections in six languages and in hurried English; other hands' sentences are in bench/labelled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.events.correction import correction_in, corrections_in
from holdfast.events.corrections.reading import is_english
from tests.support.table import each_of

LABELLED = Path(__file__).parents[4] / "bench" / "labelled" / "corrections_told.jsonl"

RULES = """
bitte nie direkt auf main pushen
ab jetzt immer erst die Tests schreiben
bitte keine Snapshot-Tests verwenden
verwende niemals Mocks für die Datenbank
benutze pnpm statt npm
nimm httpx anstelle von requests
wir verwenden hier keine Semikolons
wir committen nie direkt auf main
Fass die generierten Dateien nicht an.
Ändere nie die öffentlichen Signaturen
in Zukunft bitte vorher fragen
hör auf, jede Zeile zu kommentieren
vermeide globale Variablen
nicht auf main pushen!
Keine Emojis in Commit-Messages bitte
Tests dürfen nie das Netz benutzen
In diesem Projekt wird nie gemockt
ok, aber bitte nicht die API ändern
Nein, wir runden immer kaufmännisch
Von nun an jede Funktion unter 40 Zeilen halten
du sollst die Lockfile nicht von Hand ändern
Beträge sind Ganzzahlen, wir benutzen nie Floats
kuenftig bitte ohne neue Abhaengigkeiten
nunca hagas push directo a main
usa siempre uv run
siempre usa uv en este repo
a partir de ahora escribe primero las pruebas
de ahora en adelante, funciones de menos de 40 líneas
no uses mocks para la base de datos
por favor no toques los archivos generados
usa pnpm en vez de npm
aquí nunca usamos punto y coma
en este proyecto no usamos mocks
deja de añadir comentarios
evita variables globales
No, nunca usamos floats para dinero
ok, pero no cambies la API pública
no usar print para los logs
no quiero nuevas dependencias
ne touche pas aux fichiers générés
n'utilise jamais de mocks pour la base
ne jamais pousser directement sur main
toujours lancer le linter avant de committer
utilise toujours uv
à partir de maintenant, écris les tests d'abord
désormais on garde les fonctions courtes
a l'avenir, demande avant de supprimer
arrête d'ajouter des commentaires
évite les variables globales
utilise pnpm au lieu de npm
on n'utilise pas de point-virgule ici
nous n'utilisons jamais de flottants pour l'argent
pas de nouvelles dépendances sans demander
merci de ne pas toucher au lockfile
touche pas à la config de prod
Non, on arrondit toujours vers le haut
dont use snapshot tests
pls never commit to main
plz dont touch the lockfile
always use uv here
we dont use mocks here
don’t mock the clock
u should never push to main
never ever push without tests
do NOT edit generated files
allways run the linter first
form now on write tests first
we dont do snapshot tests in this repo
"""
REPAIRS = """
nein, ich sagte kaufmännisch runden
nein, ich hab doch gesagt keine neuen Abhängigkeiten
das habe ich nicht gemeint
ich meinte den anderen Cluster
du hast die Migration vergessen
falsch, der Port ist 8443
nein, die andere Datei war gemeint
wie gesagt, die Spalte ist nullable
so war das nicht gemeint
no, dije redondeo hacia arriba
te dije que no cambiaras el endpoint
eso no es lo que pedí
me refería a la otra tabla
olvidaste la migración
incorrecto, el puerto es 8443
no, es el otro archivo
non, j'ai dit arrondi au supérieur
ce n'est pas ce que j'ai demandé
je parlais de l'autre fichier
tu as oublié la migration
faux, le port est 8443
non, c'est l'autre fichier
je t'ai dit de garder l'ancien endpoint
thats not what i asked for
i didnt ask for a refactoring
i sad half-up rounding
noo, i meant the other file
u forgot the migration
"""
EITHER = """
mach keine Commits ohne Rückfrage
pushe nie ohne zu fragen
Bitte antworte immer auf Deutsch
nee, das ist der falsche Branch
das stimmt nicht, der Timeout ist 30 s
nicht npm, pnpm bitte
Nutze bitte ab jetzt pnpm
bitte in Zukunft keine Kommentare
man committet hier nie direkt
Nein! Das Feld heißt customer_id
responde siempre en español
¡Nunca subas secretos al repo!
no, no, deja el nombre viejo
usa pnpm de ahora en adelante
te he dicho mil veces que no toques eso
réponds toujours en français
on touche pas à la prod
il faut pas committer sur main
non non, garde l'ancien nom
tu t'es trompé de fichier
utilise httpx plutôt que requests
use pnpm from now on
that's wrong, the timeout is 30 s
Remember: amounts are always in cents
prefer composition over inheritance
I told u not to touch the config
pls dont add comments, and always run the linter
"""
NONE = """
Warum pushen wir nie auf main?
ich weiß nicht, warum das fehlschlägt
kein Problem, mach weiter
keine Ahnung, was das ist
Das Skript läuft nie durch
Der Job schlägt immer fehl
wir haben keine Staging-Umgebung
Nein danke, das reicht
die Seite lädt nicht mehr
Vergiss nicht, die Tests laufen zu lassen
mach dir keine Sorgen
schreib eine Funktion, die nie None zurückgibt
Wenn das Token fehlt, nicht abstürzen, sondern 401 liefern
Ich habe den Fehler noch nie gesehen
Immer noch rot, schau mal rein
Kannst du pnpm statt npm nehmen?
nein, passt so
Repariere den Login und schreib einen Test
Was heißt "bitte nicht stören" auf Englisch?
Die Nutzer sehen das Banner nicht
Der Button ist rot statt blau
Es kommt immer None zurück statt eines Fehlers
wir sehen keine Logs
Die Tests räumen nicht auf, bitte prüfen
no sé por qué falla
no pasa nada, sigue
no te preocupes por eso
la página nunca carga
el job siempre falla a medianoche
¿por qué nunca hacemos push a main?
no, gracias
no hace falta correr las pruebas
nunca vi este error
no tenemos servidor de staging
escribe una función que nunca devuelva None
arregla el login y añade una prueba
no funciona el botón
¿Puedes usar pnpm en vez de npm?
no veo los logs
siempre devuelve None en vez de lanzar
No changes in the classes so far
No aliases are left in the config
je ne sais pas pourquoi ça échoue
pas de problème, continue
ne t'inquiète pas
la page ne charge jamais
le job échoue toujours à minuit
pourquoi on n'utilise jamais de mocks ?
non merci, ça va
n'oublie pas de lancer les tests
je n'ai jamais vu cette erreur
on n'a pas de serveur de staging
écris une fonction qui ne retourne jamais None
ça ne marche pas sur mon poste
répare le login et ajoute un test
toujours le même problème
est-ce qu'on utilise toujours uv ?
les utilisateurs ne voient pas la bannière
jamais vu ça, c'est quoi ?
dont know why it fails
i dont get it
it dosent work anymore
pls fix the login and add a test
doesnt always fail, only sometimes
Schau mal, ob der Timeout nicht zu kurz ist
bitte prüfe, warum der Test nicht durchläuft
Der Server antwortet nicht
Ich wollte nur kurz nachfragen, ob das fertig ist
Nein, das war der Proxy, du hattest recht
mach weiter mit dem nächsten Punkt
Zeig mir, wo wir requests statt httpx benutzen
Füge eine Option hinzu, damit das Tool nie Dateien überschreibt
der Kunde sagte, wir hätten nie geantwortet
no entiendo este error
revisa por qué no carga la página
añade una opción para no sobrescribir archivos
El cliente dijo que nunca respondimos
no encuentro el archivo de configuración
sigue con el siguiente archivo
le dije al cliente que mañana
la fonction ne renvoie rien, regarde pourquoi
ajoute une option pour ne jamais écraser les fichiers
le client a dit qu'on ne répond jamais
je ne trouve pas le fichier de config
continue avec le fichier suivant
j'ai dit au client que ce sera prêt demain
corrige le test qui échoue toujours
I said to the customer that it ships tomorrow
Make the header sticky from the start
Better error messages for the parser please
important: the release is tomorrow
La base de datos no responde desde ayer
L'API ne répond plus depuis hier
on ne voit pas les logs en prod
"""


def sentences(table: str) -> list[str]:
    return table.strip().splitlines()


@pytest.mark.requirement("MEM-31")
def test_a_correction_is_recognised_in_four_languages_and_in_hurried_spelling() -> None:
    def kind(text: str) -> str | None:
        found = correction_in(text)
        return found.kind if found else None

    assert [text for text in sentences(RULES) if kind(text) != "rule"] == []
    assert [text for text in sentences(REPAIRS) if kind(text) != "repair"] == []
    assert [text for text in sentences(EITHER) if kind(text) is None] == []
    assert [text for text in sentences(NONE) if kind(text) is not None] == []


@pytest.mark.requirement("MEM-31")
def test_what_somebody_else_labelled_is_read_as_labelled() -> None:
    """Precision and recall on the told part; what they were at first sight is in bench/labelled/README.md."""
    rows = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    assert len(rows) > 90
    found = {row["text"] for row in rows if correction_in(row["text"])}
    labelled = {row["text"] for row in rows if row["label"] == "correction"}
    assert found - labelled == set(), "precision 1"
    assert labelled - found == set(), "recall 1"


@pytest.mark.requirement("MEM-31")
def test_two_rules_are_two_in_the_users_own_words() -> None:
    for prompt, expected in (
        ("pls dont add comments, and always run the linter", ["pls dont add comments", "always run the linter"]),
        ("nunca subas secretos y siempre usa uv run", ["nunca subas secretos", "siempre usa uv run"]),
        ("Always use uv run, never plain python.", ["Always use uv run, never plain python."]),
        ("Fix the login. Never log tokens. Use tabs, not spaces.", ["Never log tokens.", "Use tabs, not spaces."]),
        ("Never log tokens.\nNever log tokens.", ["Never log tokens."]),
        ("\n".join(f"never use tool {n}" for n in range(20)), [f"never use tool {n}" for n in range(5)]),
    ):
        assert [each.text for each in corrections_in(prompt)] == expected, prompt


def test_english_words_are_no_spanish_orders() -> None:
    assert is_english("no classes of this kind are left")
    assert not is_english("no uses mocks")


ITALIAN_AND_DUTCH = """
mai float per i soldi
no, mai toccare la cartella vendor
sempre centesimi interi, dappertutto
non usare mai i mock per il database
d'ora in poi usa pnpm
usa pnpm invece di npm
usiamo sempre UTC qui
evita le variabili globali
nooit een label hernummeren dat al geprint is
nee, nooit op vrijdag uitrollen
altijd eerst de tests draaien
voortaan graag in het Engels
wij gebruiken nooit floats voor bedragen
gebruik pnpm in plaats van npm
niet rechtstreeks naar main pushen
btw never roll out during the night shift
oh and always squash before merging
good. ps: never use sudo there
"""
NEITHER_ITALIAN_NOR_DUTCH = """
mai visto un errore così
non funziona, dà sempre errore 500
il test è sempre rosso
perché non usiamo mai la cache?
non lo so, guarda tu
ik heb dat nooit gezien
de test is altijd rood op CI
dat script draait altijd om 3 uur
geen probleem, ga verder
waarom draaien we de tests nooit lokaal?
btw the build always fails on CI
oh never mind
note the order always comes from the API
"""


@pytest.mark.requirement("MEM-31")
@each_of("sentence", ITALIAN_AND_DUTCH.strip().splitlines())
def test_a_rule_in_italian_or_dutch_or_behind_a_by_the_way_is_recognised(sentence: str) -> None:
    found = correction_in(sentence)
    assert found is not None
    assert found.kind == "rule"


@pytest.mark.requirement("MEM-31")
@each_of("sentence", NEITHER_ITALIAN_NOR_DUTCH.strip().splitlines())
def test_what_is_told_or_asked_in_italian_or_dutch_is_no_rule(sentence: str) -> None:
    assert correction_in(sentence) is None


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
