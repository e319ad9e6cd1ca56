"""How Spanish corrects. Folded: no accents, small letters. Pure."""

from __future__ import annotations

from holdfast.events.corrections.language import WORD, Language, pattern

_ES_STATES = (
    "sabes tienes puedes quieres eres ves crees entiendes piensas llegas sales vienes debes necesitas recuerdas pasas"
    " vas estas has hay es mas antes veces tests errores cambios lineas ficheros clases funciones todas las los unas"
    " nuestras muchas otras pruebas olvides olvidas preocupes dudes alarmes pasa archivos"
)
_ES_NO_ORDER = rf"(?!(?:{'|'.join(_ES_STATES.split())})\b)"
_ES_NOT = (
    rf"no\ (?:me\ |lo\ |la\ |los\ |las\ |le\ |les\ |nos\ )?(?:vuelvas\ a\ \w+"
    rf"|{_ES_NO_ORDER}[a-z]{{2,}}(?:es|as)(?:te|lo|la|los|las)?|{_ES_NO_ORDER}[a-z]{{2,}}(?:ar|er|ir)(?:lo"
    rf"|la|los|las)?|us[ea]n?|hagan?|toquen?|cambien?|borren?|escriban?|modifiquen?|agreguen?|pongan?"
    rf"|suban?|instalen?|elimin[ea]n?)"
)
_ES_ORDER = (
    r"(?:usa|use|utiliza|pon|escribe|haz|corre|ejecuta|lanza|prefiere|toma|llama|agrega|anade|mete|deja"
    r"|manten|guarda|pregunta|crea"
    r"|importa|devuelve|nombra|prueba|revisa|responde|contesta|comenta|documenta|valida|redacta|ordena"
    r"|comprueba|verifica|instala|formatea|borra|cambia|revierte|vuelve|quita|sube|redondea|firma|abre"
    r"|cierra)"
)
_HINTS = """
no nunca jamas siempre usa use utiliza evita evite deja dejad para parad a de en el la los las un una por y que
te me se lo mal incorrecto dije pedi olvidaste ignoraste asi eso esto esta ya como aqui nada sin prefiere mejor
recuerda ojo prohibido solo equivocado falso entendiste yo has debes hay
"""
SPANISH = Language(
    hints=frozenset(_HINTS.split()),
    reminds=pattern(r"(?:recuerda|recordatorio|ojo|importante|nota)\b[:,]?\ "),
    lead=pattern(
        r"(?:(?:no|ok|okay|vale|bien|bueno|gracias|perfecto|genial|oye|eh|para|alto|y|pero|ademas|por\ favor"
        r"|porfa|porfavor|otra\ cosa|recuerda|ojo|nota|importante"
        r"|recordatorio|de\ nuevo|otra\ vez|entonces|mejor)\b[,.!:]*\ +)"
    ),
    no=pattern(r"(?:(?:no+|mal|incorrecto)\b[,.!: ]+)+(?<=[,.!:]\ )"),
    rule=pattern(
        rf"""
        {_ES_NOT}\ \S
      | (?:nunca|jamas)\ (?:mas\ )?(?:me\ |lo\ |la\ |los\ |las\ )?(?!(?:vi|he|habia|hemos|supe|pense|lo\ vi|imagine
            |llega|carga|termina|funciona|acaba)\b)[a-z]{{2,}}(?:es|as|ar|er|ir|e|a|amos|emos|imos|en|an)(?:lo|la
            |los|las)?\ \S
      | siempre\ (?!que\b|devuelve\b|vuelve\b|corre\b|cierra\b|abre\b|cambia\b|borra\b|deja\b|falla|hay\b|es\b|ha\b
            |he\b|pasa|pense|crei|quise|sale|igual|lo\ mismo|el\ mismo|la\ misma|me\b|se\b)(?:{_ES_ORDER}
            |[a-z]{{2,}}(?:ar|er|ir)|con|en|[a-z]+[ae]mos|[a-z]+imos)\b
      | {_ES_ORDER}\ (?:{WORD}\ ){{0,3}}?siempre\b
      | {_ES_ORDER}\ (?:{WORD}\ ){{1,8}}?(?:en\ vez\ de|en\ lugar\ de|y\ no)\b
            |{_ES_ORDER}\ (?:{WORD}\ ){{0,6}}?{WORD},\ no\b
      | (?:a\ partir\ de\ (?:ahora|hoy|aqui)|de\ ahora\ en\ adelante|desde\ ahora|en\ adelante|en\ el\ futuro
            |de\ aqui\ en\ adelante|de\ hoy\ en\ adelante|la\ proxima\ vez)\b,?\ \S+\ \S
      | {_ES_ORDER}\ (?:{WORD}\ ){{0,6}}?(?:a\ partir\ de\ ahora|de\ ahora\ en\ adelante|desde\ ahora|en\ adelante)\b
      | prefiere\ \S
      | (?:deja|dejad|para|parad)\ de\ [a-z]+(?:ar|er|ir)
      | (?:deja|dejad|deje)\ (?:{WORD}\ ){{1,8}}?(?:como\ estan?|en\ paz|sin\ tocar|tranquil\w+)\b
      | (?:evita|evite|evitad|prohibido)\ (?!que\b)\S
      | (?:nada|ni\ uno)\ de\ \S+\ (?:en|por|para|con|aqui|nuev)
      | sin\ (?:\S+\ ){{1,4}}por\ favor
      | no\ quiero\ (?!saber|decir|molestar)(?:\S+\ ){{0,6}}?\S+
      | (?:no\ debes|no\ deberias|no\ se\ debe|no\ se\ puede|no\ hay\ que|debes|hay\ que)\ (?:nunca[ ]
            |siempre\ )?[a-z]+(?:ar|er|ir)\b.*\b(?:nunca|siempre|aqui|proyecto|repo)\b
        """
    ),
    inside=pattern(
        r"""
        \b(?:aqui|en\ este\ (?:proyecto|repo|repositorio|equipo)|nosotros|nuestro\ equipo)\ (?:,\ )?(?:nunca|jamas
            |siempre|no|solo)\ (?!hay\b|funciona|tenemos\b|esta\b|se\ ve\b|sabemos\b|podemos\b|vemos\b|falla)\S+\ \S
      | (?:^|,\ |:\ )(?:nunca|jamas|siempre|solo|no|ya\ no)\ (?!tenemos\b|sabemos\b|podemos\b|vemos\b|queremos\b
            |hemos\b|vamos\b|necesitamos\b|entendemos\b|estamos\b|somos\b)[a-z]+(?:amos|emos|imos)\b\ \S
        """
    ),
    ruled=pattern(
        r"\b(?:nunca|jamas|siempre|ya\ no|en\ vez\ de|en\ lugar\ de|solo|debe|deben|no\ se\ (?:usa|usan|puede"
        r"|debe)|no\ usamos)\b"
    ),
    repair=pattern(
        r"""
        (?:asi\ no|de\ esa\ manera\ no|no\ asi)[,:]\ \S+\ \S
      | (?:eso\ |esto\ )?(?:esta|es)\ (?:mal|incorrecto|falso|equivocado)[,:]\ \S+\ \S
      | (?:eso\ )?ya\ (?:lo\ )?(?:hablamos|acordamos|decidimos|quedamos|habiamos\ (?:hablado|acordado|quedado
            |dicho))\b
      | te\ has\ equivocado\b
      | (?:no,?\ )?(?:ya\ )?(?:te\ |os\ )?(?!\w+\ (?:al|a\ (?:la|los|las|un|una))\ )(?:dije|he\ dicho|habia\ dicho
            |pedi|habia\ pedido|he\ pedido|escribi)\ (?:que\b|no\b|claramente\b|el\b|la\b|los\b|las\b|un\b|una\b
            |solo\b|\w+)
      | (?:como\ (?:ya\ )?(?:te\ )?(?:dije|he\ dicho))\b
      | (?:eso|esto)\ no\ (?:es|era|fue)\ (?:lo\ que|asi)\b|no\ (?:es|era)\ (?:eso\ )?lo\ que\ (?:pedi|queria|dije
            |te\ pedi|quise)
      | (?:yo\ )?(?:no\ )?(?:me\ referia\ a|queria\ decir|quise\ decir)\b
      | (?:yo\ )?no\ (?:te\ )?(?:pedi|he\ pedido|dije|queria)\b
      | (?:has\ olvidado|te\ (?:has\ )?olvida(?:ste|do)|olvidaste|ignoraste|has\ ignorado|te\ equivoca(?:ste|s)
            |entendiste\ mal|has\ entendido\ mal|te\ falto|se\ te\ (?:olvido|ha\ olvidado|paso))\b
      | (?:incorrecto|mal|error\ tuyo|equivocado|falso)[,:]\ \S+\ \S
      | (?:el|la)\ \S+\ equivocad[oa][,:]\ \S
        """
    ),
    wrong=pattern(
        r"(?:el|la|los|las|eso|ese|esa|esto|este|esta|es|son|yo|tu|no|lo|usa|deja|solo|vuelve|revierte|quita"
        r"|pon|cambia|mejor|al\ reves|aqui|nosotros|debe)\b(?=(?:\ \S+){2})"
    ),
    asks=pattern(
        r"(?:¿|por\ que|porque|que\b|cuando|donde|quien|como\b(?!\ (?:ya\ )?(?:te\ )?(?:dije|he\ dicho))|cual"
        r"|cuales|puedes|podrias|puede|podemos|deberiamos|debemos|es\ |hay\b(?!\ que)|si\b|explica\w*|tienes"
        r"|tenemos|crees)"
    ),
    neither=pattern(
        r"""\b(?:no\ (?:lo\ )?se\b(?!\ (?:usa|debe|puede))|no\ (?:pasa\ nada|hay\ problema|te\ preocupes|importa
            |entiendo|recuerdo|creo|hace\ falta|tengo|hay\ prisa|es\ necesario|te\ olvides|olvides|estoy\ segur
            |me\ acuerdo|veo|encuentro|funciona|dudes|tiene\ sentido)
        |no,?\ gracias|no,?\ (?:asi\ )?esta\ bien|no,?\ todo\ bien|no,?\ (?:eso\ es\ todo|es\ todo|nada)
            |tenias\ razon|tienes\ razon|culpa\ mia|mi\ (?:culpa|error)
            |(?:nada\ de|sin)\ (?:datos|resultados?|respuestas?|salida|conexion)|falla[ns]?
            |ni\ idea|da\ igual|nunca\ (?:he|habia
            |lo\ habia)\ \w+|no,?\ (?:era|fue)\ |(?:dijo|dicen|dice|comento)\ que)\b
        |,\ (?:implementa|valida|anade|agrega|investiga|revisa|busca|arregla|averigua|comprueba|mira)(?:lo|la)?\b"""
    ),
)
