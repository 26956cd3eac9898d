import type { LanguagePack, RecommendedWords, TimeWords } from './language.ts';

const TIME: TimeWords = {
  phrases: { 'day 2': 'antes de ayer' },
  last: 'últim[oa]s?|pasad[oa]s?',
  weekend: 'fin de semana(?: pasado)?',
  seasons: ['primavera', 'verano', 'otoño', 'invierno'],
  ordinals: ['primer', 'segundo', 'tercer', 'cuarto'],
  quarter: 'trimestre',
  half: 'semestre',
  of: 'de |del ',
  on: 'el',
  before: 'antes del?',
  after: 'después del?',
  since: 'desde(?: el)?',
  from: 'entre(?: el)?|del?',
  to: '(?:y|al?)(?: el)?',
};

const RECOMMENDED: RecommendedWords = {
  of: 'de',
  fields: [
    [
      String.raw`((?:[Ii]mporte|[Pp]recio|[Nn]úmero|[Tt]otal|[Pp]lazo|[Ss]aldo|[Dd]epósito|[Cc]ódigo)[^:]{0,40}?): <code>`,
      '¿Cuál es el $1?',
    ],
    [
      String.raw`((?:[Ff]echa|[Rr]eferencia|[Dd]uración|[Ff]ranquicia|[Ff]actura|[Ff]ianza|[Cc]uota) [^:]{2,40}?): <code>`,
      '¿Cuál es la $1?',
    ],
  ],
  sentences: [
    [String.raw`<subject> cuesta(n)? [^.]{0,20}?<money>`, '¿Cuánto cuesta$2 $1?'],
    [String.raw`<subject> es de <money>`, '¿A cuánto asciende $1?'],
    [
      String.raw`<subject> dura(n)? <count> (?:minutos|horas|días|semanas|meses|años)`,
      '¿Cuánto dura$2 $1?',
    ],
    [String.raw`<subject> (empieza|termina|abre|cierra) el <date>`, '¿Cuándo $2 $1?'],
    [String.raw`<subject> (está|están) (?:en|al|junto|detrás|debajo) `, '¿Dónde $2 $1?'],
    [String.raw`Para (\p{Ll}+(?:ar|er|ir) [^.,;:()]{3,50}), hay que `, '¿Cómo $1?'],
    [String.raw`<subject> es una? [^.]{12,}`, '¿Qué es $1?'],
  ],
  papers: { recipe: ['¿Cómo se hace {title}?'] },
};

export const spanish: LanguagePack = {
  code: 'es',
  stemmer: 'spanish',
  stopWords: 'spa',
  numbers: '- - dos tres cuatro cinco seis siete ocho nueve diez - doce',
  one: 'un una',
  time: TIME,
  measures: { dollar: 'dólares' },
  question: {
    quantity: 'cuánto|cuánta|cuántos|cuántas',
    time: 'cuándo',
    person: 'quién|quiénes',
    place: 'dónde',
    reason: 'por qué',
    manner: 'cómo',
    which: 'cuál|cuáles',
    what: 'qué',
    auxiliaries: 'es son era fue',
    requests: 'dime',
    light: 'cuál cuánto cuánta necesita hay número tiempo',
  },
  small: {
    firstPerson: 'yo mi mis me nosotros nosotras nuestro nuestra nuestros nuestras',
    determiners: 'el los las',
    each: 'por al',
    copulas: 'es son significa',
  },
  references: {
    pronouns: 'él|ella|ellos|ellas|eso|esto|lo|allí|ahí',
    possessives: 'su|sus',
    opening: /^¿?(?:(?:y|pero|o)[\s,]+)*(?:qué (?:hay|pasa) (?:de|con)\s+)?/iu,
  },
  phrases: {
    outside: `página páginas hola gracias señor señora estimado estimada saludos atentamente cordial euros euro
puede pueden debe deben hace hacen hay nuevo nueva nuevos nuevas primer primera primero último
última otro otra otros otras cada varios varias mismo misma todo toda todos todas gran grande buen
buena es son era eran fue fueron será serán está están estaba ha han ser estar tiene tienen`,
    leads: 'el la los las un una del al de para por con sin su sus este esta',
    joins: 'de del la',
    nameJoins: 'y del',
  },
  uploads: {
    picture: 'imágenes|imagen|fotos?',
    spreadsheet: 'hojas de cálculo',
    presentation: 'presentaci(?:ón|ones)',
    recording: 'grabaci(?:ón|ones)',
    video: 'vídeos?',
    archive: 'archivos zip',
    files: 'archivos?|ficheros?|documentos?',
    uploaded: '(?:he |hemos )?subid[oa]s?|subí|subimos',
    added: 'añad(?:í|ido)s?|agreg(?:ué|ado)s?|guardé',
    newest: 'últim[oa]s?|recientes|recientemente',
    list: 'mis|tod[oa]s|tengo|hay|muéstra(?:me|nos)?|lista|cuánt[oa]s|qué',
    fillers: 'muéstra(?:me|nos)?|muestra|lista|enséñame|tengo|hay|hemos|algo|todo',
  },
  files: {
    named: 'en el (?:archivo|fichero|documento)',
    according: 'según',
    beforeQuoted: 'según|dice|en|archivo',
    folder: 'carpeta|directorio',
    except: 'excepto|salvo|aparte de',
    article: 'el|la|los|mi|archivo|carpeta',
  },
  recommended: RECOMMENDED,
  claims: {
    not: 'no|nunca|ningún|ningun[oa]|sin|nada|prohibid[oa]s?|jamás',
    harmless: 'no (?:más|menos|solo|sólo)',
    contrasts: 'pero|y',
    opposites: [
      'permitido permitida permitidos/prohibido prohibida prohibidos',
      'más/menos',
      'aumentó/bajó disminuyó',
      'mínimo/máximo',
    ],
    knowsNothing: 'no (?:menciona|indica|especifica)',
  },
};
