"""Words of any conversation in German, French, Spanish, Italian, Dutch and Portuguese. Data only.

They find things, but are no proof that something fits: "für die" and "avec le" stand in every second sentence. Left out
are those that name something in an English prompt: "door", "font", "map", "todo", "via".
"""

from __future__ import annotations

_GERMAN = """
ab aber alle allem allen aller alles als also am an ander andere anderen anders auch auf aus außer bei beide beim bis
bist bitte bleiben bleibt brauchen brauche braucht da dabei dafür daher damals damit danach dann daran darauf darum das
dass davon davor dazu dein deine dem den denn der deren des deshalb die dies diese diesem diesen dieser dieses doch
dort du durch eben eigentlich ein eine einem einen einer eines einfach einige einmal erst erste ersten es etwas euch
euer für ganz gar geben gegen gehen geht gelöst genau gerade gern gibt gleich gut haben habe hast hat hatte hatten hier
hin hinter ich ihm ihn ihnen ihr ihre im immer in ins irgendwie ist ja jede jedem jeden jeder jedes jetzt kann kannst
kein keine keinen keiner klar kommen kommt können könnte könntest lassen lass läuft lief liegt mach mache machen macht
machten man mehr mein meine meinem meinen mich mir mit mal muss musst müssen müsste nach nachdem neben nein nicht
nichts nie nimm noch nochmal nun nur ob oder offen ohne schau schon sehr seid sein seine seinem seinen seit selbst sich
sie sieht sind so sobald soll sollen sollte sollten sollst sondern sonst soweit stand steht über um und uns unser
unsere unserem unseren unter vielleicht viel viele vom von vor wann war warum waren wäre was weder wegen weil weit
weiter welche welchem welchen welcher welches wenn wer werde werden wie wieder wieso will willst wir wird wirst wo
woher wohin wollen wollte woran worum wurde wurden zeig zeige zu zum zur zurück zwar zwischen danke super gemacht getan
geschafft erledigt gearbeitet erreicht geändert entschieden beschlossen entscheidung entscheide begründe geklärt
besprochen behoben beheben benutzen benutzt nutzen nutzt verwenden verwendet gebrauchen ändern ändere prüfen prüfe
fertig grund ursache fehler frage antwort aufgabe datei ordner projekt teil teilweise
"""
_FRENCH = """
afin aie alors après as au aucun aucune auquel aussi autre autres aux avait avaient avec avant avez avoir avons ayant
beaucoup bien bonjour bon ca ce ceci cela celui ces cet cette ceux chaque chez comme comment concernant d'abord dans de
déjà depuis des deux devait devons dois doit donc dont du elle elles en encore ensuite entre est et étaient était étais
été être eu eux fais faire fait faites falloir faut fois il ils j'ai je jusque la là laquelle le lequel les leur leurs
lors lorsque lui ma mais me même merci mes mets mettre moi moins mon ne ni non nos notre nous on ont or où ou oui par
parce parfois pas pendant peu peut peux plus plutôt pourquoi pouvait pouvez pouvons pourrais près presque puis puisque
qu qu'on qu'il quand que quel quelle quelles quelque quelques quels qui quoi rien sa sans se sera serait ses si sinon
soit sommes son sont sous sur ta tandis te tes toi ton toujours tous tout toute toutes très tu un une va vais vas vers
veux veut vois voici voilà vos votre vous vraiment y travaillé décidé changé corrigé réglé fini ajouté utilise utiliser
utilise-t-on utilisons corriger corrige ajoute ajouter regarde regarder raison problème question fichier dossier projet
"""
_SPANISH = """
a acerca además ahora al algo alguien algún alguna algunas alguno algunos allí antes aquel aquella aquí así aún aunque
bajo bien buenos cada casi como cómo con cosa cosas cual cuál cuales cuando cuándo cuanto cuánto cuya cuyo da de debe
debemos deben debería del desde donde dónde durante e el él ella ellas ellos en entonces entre era eran eres es esa
esas ese eso esos esta ésta está estaba estaban estamos están estar estas este esto estos estoy fue fueron fui gracias
ha había habíamos hace hacer haces hacia han has hasta haz he hemos hicimos hicieron hizo hola la las le les lo los
luego más me mejor menos mi mientras mis mismo mucho muchos muy nada ni ningún ninguna no nos nosotros nuestra nuestras
nuestro nuestros nunca o otra otras otro otros pero poco por porque posible pudo puede puedes pueden pues que qué queda
quedó quien quién quiero quieres se sea según si sí siempre sin sino sobre sois sólo son soy su sus también tampoco tan
tanto te tenemos tener tenía tengo ti tiene tienen toda todas todavía todos tu tú tus último última un una unas uno
unos usamos usar va vamos van vez voy ya yo cambiamos decidimos trabajamos arreglamos arreglar arregla añade añadir
cambiar revisa revisar mira razón problema pregunta archivo carpeta proyecto para
"""
_ITALIAN = """
abbia abbiamo ad adesso al alla alle allo allora altra altre altri altro anche ancora aveva avevamo avere bene c'è che
chi ciao come con contro cosa così cui da dai dal dalla dalle degli dei del dell della delle dello dentro di dopo dove
e è era erano essere fa faccio fare fatto fino fra già gli grazie ha hai hanno ho i il in la le lei li lo loro lui ma
me meglio meno mentre mi mia mie miei mio molto ne negli nei nel nell nella nelle nello nessuno niente no noi non
nostra nostre nostri nostro nulla o ogni ora per perché però più poco poi possiamo può puoi qual quale quali qualche
qualcosa quando quanto quasi quella quelle quelli quello questa queste questi questo qui quindi sarà se sei sempre
senza si sì siamo sia sono sopra sotto su sua sue sugli sui sul sulla sulle suo suoi tra tu tua tue tuo tutta tutte
tutti tutto un una uno usiamo usare va vi voi vuoi deciso cambiato lavorato risolto corretto correggi aggiungi
controlla guarda ragione motivo problema domanda cartella progetto ultima
"""
_DUTCH = """
aan achter al alle alleen alles als altijd andere ben bij bijna binnen dan dat de deden deze dit doe doen doet dus een
eens eerst en er erg even ga gaan gaat gedaan gedurende geen geweest graag haar had hadden heb hebben hebt heeft heel
hem hen het hier hij hoe hun iemand iets ik in is ja je jij jou jouw jullie kan kun kunnen kon konden laat laten maak
maar maken me meer met mij mijn moet moeten naar naast niet niets nog nou nu of om omdat ons onze ook over precies
sinds soms straks te tegen ten ter terug toch toen tot tussen u uit uw van vanaf veel volgens voor voordat vorige waar
waarom waren wanneer want was wat weer wel welk welke werd wie wij wil willen wilt word worden wordt ze zei zelf zich
zij zijn zo zoals zonder zou zouden zullen gewerkt gemaakt besloten veranderd gebruiken gebruikt gebruik aanpassen
bekijk oorzaak reden probleem vraag bestand
"""
_PORTUGUESE = """
à agora ainda além algo alguém algum alguma algumas alguns ali antes ao aos após aquela aquele aquilo aqui as às assim
até bem cada coisa com como contra da das de dela dele deles depois desde dessa desse desta deste deve devemos dia do e
é ela elas ele eles em embora enquanto então entre era eram essa essas esse esses esta está estamos estão estar estava
este estes eu faz fazer feito fez fizemos foi foram há isso isto já lá lhe lhes lo mais mas me mesmo meu meus minha
minhas muito na nada não nas nem nenhum nenhuma no nós nos nossa nossas nosso nossos numa nunca o obrigado olá onde ou
outra outras outro outros pela pelas pelo pelos pode podemos podem pois por porque porquê pouco pra quais qual quando
quanto que quê quem se seja sem sempre será seu seus si sim só sobre sua suas também tão tem têm temos tenho ter teu
tinha tive tivemos toda todas todos tua tudo um uma umas uns usamos usar vai vamos você vocês vou mudamos decidimos
trabalhamos corrigimos corrige corrigir adiciona adicionar razão motivo problema pergunta arquivo pasta projeto última
vez
"""

GENERAL_ABROAD = frozenset(
    word for words in (_GERMAN, _FRENCH, _SPANISH, _ITALIAN, _DUTCH, _PORTUGUESE) for word in words.split()
)

_TIMES = """
gestern vorgestern heute morgen woche wochen monat jahr wochenende montag dienstag mittwoch donnerstag freitag samstag
sonnabend sonntag letzte letzten letzter letztes vergangene vergangenen vorige ferien feiertage feiertagen urlaub
weihnachten ostern hier avant-hier aujourd'hui demain semaine mois année week-end lundi mardi mercredi jeudi vendredi
samedi dimanche dernier dernière derniers dernières vacances noël pâques ayer anteayer hoy mañana semana mes año lunes
martes miércoles jueves viernes sábado domingo pasado pasada vacaciones navidad ieri oggi domani settimana mese anno
lunedì martedì mercoledì giovedì venerdì sabato domenica scorso scorsa vacanze ferie natale pasqua gisteren vandaag
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag maand jaar afgelopen vakantie kerst pasen ontem hoje amanhã
mês ano segunda-feira terça-feira quarta-feira quinta-feira sexta-feira passado passada férias páscoa tage tagen jours
días giorni dias semaines semanas settimane weken
"""

TIMES_ABROAD = frozenset(_TIMES.split())
"""Words that name a time."""
