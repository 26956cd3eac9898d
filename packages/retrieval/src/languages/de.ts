import type { LanguagePack, TimeWords } from './language.ts';

const TIME: TimeWords = {
  locales: ['de-AT'],
  months: { feber: 2, maerz: 3 },
  units: { month: 'monats', year: 'jahres' },
  this: 'diese[nrsm]?',
  last: '(?:letzt|vorig|vergangen)e[nrsm]?',
  weekend: '(?:letzte[sn]?|vergangene[sn]?) wochenende',
  seasons: ['frühling|frühjahr|fruehling', 'sommers?', 'herbst', 'winters?'],
  ordinals: ['erste[nsr]?', 'zweite[nsr]?', 'dritte[nsr]?', 'vierte[nsr]?'],
  quarter: 'quartals?',
  half: 'halbjahr|hälfte',
  of: 'des |der ',
  on: 'am',
  before: 'vor(?: dem)?',
  after: 'nach(?: dem)?',
  since: '(?:seit|ab)(?: dem)?',
  until: 'bis(?: zum| ende)?',
  from: 'zwischen(?: dem)?|vo[nm]',
  to: '(?:und|bis(?: zum)?)(?: dem)?',
  beforeNumber: 'nr\\.|nummer|seite|zimmer|artikel|abschnitt|kapitel|punkt|din',
  behindNumber: 'personen|menschen|meter|stunden|tage|jahre|stück',
};

export const german: LanguagePack = {
  code: 'de',
  stemmer: 'german',
  stopWords: 'deu',
  abbreviations: `z.b d.h u.a bzw nr str abs mio mrd inkl zzgl evtl bspw dipl ing hr fr sog vgl ggf`,
  finalAbbreviations: 'usw',
  afterOrdinal: `januar februar märz april mai juni juli august september oktober november dezember
jahrhundert`,
  secrets: 'passw[oö]rt(?:er)?|kennw[oö]rt(?:er)?|(?:tür|zugangs)[ -]?codes?',
  numbers: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  one: 'ein eine einem einen einer',
  time: TIME,
  measures: {
    hour: 'std',
    day: 'tagen',
    month: 'monaten',
    quarter: 'quartal quartale',
    year: 'jahren',
    million: 'mio',
    ton: 'tonnen',
    cm: 'zentimeter',
    mile: 'meilen',
    franc: 'franken',
  },
  periods: { täglich: 'tag', wöchentlich: 'woche', monatlich: 'monat', jährlich: 'jahr' },
  question: {
    quantity:
      'wieviel|wieviele|wie viel|wie viele|wie lange|wie hoch|wie groß|wie alt|wie weit|wie teuer',
    time: 'wann',
    person: 'wer|wen|wem|wessen',
    place: 'wo|wohin|woher',
    reason: 'warum|wieso|weshalb',
    manner: 'wie',
    which: 'welche|welcher|welches|welchen|welchem',
    what: 'was',
    auxiliaries: `ist sind war waren wird werden wurde wurden hat haben hatte kann können darf dürfen muss
müssen soll sollen`,
    requests: 'nenne zeige zeig erkläre beschreibe liste',
  },
  small: {
    firstPerson:
      'ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer',
    determiners: 'der die das den dem ein eine mein meine unser unsere',
    copulas: 'ist sind war bedeutet bezeichnet',
    each: 'pro je jede jeden jeder jedes im',
  },
  references: {
    pronouns: String.raw`er|sie|ihn|ihm|ihnen|(?<!gibt )es(?!\s+(?:ein|k?eine?n?r?)(?!\p{L}))|davon|dafür|damit|darin|dazu|daran|darüber|dort|dies(?:er|es|em|en)?(?=\s*(?:$|[?,.]))`,
    possessives: 'seine?[rnms]?|ihre?[rnms]?|deren|dessen',
    opening:
      /^(?:(?:und|aber|oder|also|auch)[\s,]+)*(?:was ist mit\s+|wie (?:sieht es|steht es|ist es) (?:mit|bei)\s+)?(?:de[mnr]\s+(?=\p{Lu}))?/iu,
  },
  capitalNouns: true,
  phrases: {
    outside: `seite seiten abbildung tabelle kapitel inhaltsverzeichnis sehr geehrte geehrter damen herren
freundlichen grüßen grüße freundliche mit hallo danke bitte herr frau uhr euro wurde wurden worden
wird werden kann können muss müssen soll sollen darf dürfen gibt geht steht liegt bleibt beträgt
gilt erhält erfolgt neue neuen neuer neues weitere weiteren andere anderen erste ersten zweite
zweiten dritte letzte letzten ganze ganzen viele vielen jede jeder jedes jeden alle allen ihre ihren
ihrer ihrem ihr seine seinen unsere unseren eigene eigenen gleiche gleichen solche solchen bestimmte
verschiedene`,
    joins: 'von der zu',
    nameJoins: 'von der',
  },
  uploads: {
    pdf: 'pdf-datei(?:en)?|pdf-dokumente?',
    picture: 'bild(?:er|ern)?|fotos?',
    spreadsheet: 'tabellen?|excel-datei(?:en)?',
    presentation: 'präsentation(?:en)?|folien',
    recording: 'aufnahmen?|audiodatei(?:en)?|sprachnotizen',
    archive: 'zip-datei(?:en)?',
    text: 'textdatei(?:en)?',
    files: 'datei(?:en)?|dokumente?n?|unterlagen',
    uploaded: 'hochgeladen(?:e[nrs]?)?(?: (?:habe|haben|hatte|wurden?))?',
    added: 'hinzugefügt(?:e[nrs]?)?(?: (?:habe|haben|hatte|wurden?))?',
    newest: 'neueste[nrs]?|letzte[nrs]?|zuletzt',
    list: 'meine?|unsere?|alle|zeige?|liste|hab(?:e|en)?|gibt|welche[nrs]?|wie viele?',
    fillers: 'zeige?|liste|hab|bitte|nenne|irgendetwas|letzte[nrsm]?|wurden?',
  },
  files: {
    named:
      '(?:in|aus) (?:der|meiner) datei|(?:im|aus dem) dokument|was (?:steht|stand) (?:im|in der|in den|in meinem|in meiner)',
    according: 'laut|gemäß',
    beforeQuoted: 'laut|gemäß|im|aus|datei|dokument',
    folder: '(?:unter)?ordner|verzeichnis',
    except: 'außer(?: in| im)?|neben|nicht (?:in|im)|ohne',
    article: 'der|die|das|dem|den|meine[rnm]?|datei|dokument|ordner|verzeichnis',
  },
  documents: {
    kinds: {
      amendment:
        '\\p{L}*nachtr[aä]ge?s?|(?:vertrags)?änderung(?:en|svereinbarung(?:en)?)?|zusatzvereinbarung(?:en)?|ergänzung(?:en)?',
      certificate: '\\p{L}*zertifikate?|bescheinigung(?:en)?|\\p{L}*ausweise?|urkunden?',
      contract: '\\p{L}*vertrags?|\\p{L}*verträge|vereinbarung(?:en)?|geschäftsbedingungen|agb',
      invoice: '\\p{L}*rechnung(?:en)?|gutschrift(?:en)?|gebührenbescheide?',
      journal: '\\p{L}*tagebuch|\\p{L}*tagebücher|notizbuch',
      letter:
        '\\p{L}*brief(?:e|en)?|\\p{L}*schreiben|mahnung(?:en)?|mitteilung(?:en)?|absagen?|zusagen?',
      list: '\\p{L}*listen?|verzeichnis(?:se)?|inventar|dienstpl[aä]ne?',
      mail: 'e-?mails?|mails?',
      manual:
        '\\p{L}*anleitung(?:en)?|\\p{L}*handb(?:uch|ücher)|leitf(?:aden|äden)|dokumentation(?:en)?',
      minutes:
        '\\p{L}*protokolle?s?|niederschrift(?:en)?|\\p{L}*besprechung(?:en)?|\\p{L}*sitzung(?:en)?|\\p{L}*versammlung(?:en)?|\\p{L}*treffen',
      offer: '\\p{L}*angebote?s?|kostenvoranschl[aä]ge?|offerten?',
      payslip: '(?:lohn|gehalts|verdienst|entgelt)abrechnung(?:en)?|(?:lohn|gehalts)zettel',
      policy: '\\p{L}*police[n]?|versicherungsschein(?:e)?|\\p{L}*versicherung(?:en)?',
      receipt: 'quittung(?:en)?|kassenbon[s]?|kassenzettel|belege?',
      recipe: '\\p{L}*rezepte?',
      report: '\\p{L}*berichte?s?|gutachten|befunde?|zeugnis(?:se)?|auswertung(?:en)?',
      rules: 'satzung(?:en)?|hausordnung(?:en)?|\\p{L}*ordnung(?:en)?|statuten|\\p{L}*regeln',
      statement: '\\p{L}*ausz[uü]ge?|abrechnung(?:en)?|\\p{L}*bescheide?|steuererklärung(?:en)?',
      talk: 'vortr[aä]ge?|präsentation(?:en)?|folien',
    },
    salutation: 'sehr geehrte[rs]?|liebe[rs]?|guten (?:tag|morgen|abend)|hallo|moin',
    dated:
      '(?:rechnungs|ausstellungs|brief|beleg|druck)?datum|stand|ausgestellt(?: am)?|in der fassung vom|unterzeichnet am|beschlossen am|erstellt am',
    otherDay:
      'geboren|geb|bis|ab|fällig|seit|vor|gültig|spätestens|zum|ihr (?:schreiben|antrag) vom|beginn|ende',
    subject: 'betreff|betr|betrifft',
    version: 'version(?:en)?|ausgabe|auflage|fassung|entwurf|stand',
    replaces:
      'ersetzt|ersetzen|löst .{1,40} ab|ändert|geändert|nachtrag (?:nr\\.? ?\\d+ )?zu[mr]?|änderung de[sr]|ergänzt|verlängert|anstelle|tritt an die stelle|hebt .{1,40} auf|außer kraft',
    changes:
      'mit wirkung (?:vom|zum|ab)|ab sofort|ab dem|nicht mehr|künftig|nunmehr|neue[rsnm]? (?:termin|preis|miete|tarif|nummer|adresse|betrag|satz)|erhöht|steigt|gesenkt|sinkt|beträgt ab|bisher|statt|anstatt|verschoben|verlegt|wird (?:zu|auf)|jetzt',
    mailFrom: 'von',
    mailTo: 'an|datum',
    beforeDay: 'am|dem|den',
    balance: 'saldo|kontostand',
    sums: '(?:zwischen|gesamt)?summe|(?:ins)?gesamt(?:betrag)?|durchschnitt',
    balances: '(?:anfangs|end|schluss)saldo|übertrag',
    money: 'betrag|preis|kosten|summe|saldo|soll|haben',
  },
  fileList: {
    more: 'und {} weitere',
    oneFile: '1 Datei',
    newest: '{} Dateien, die neuesten zuerst',
    none: 'Solche Dateien gibt es hier nicht.',
    noneThen: 'In dieser Zeit wurden keine solchen Dateien hochgeladen.',
  },
  instructions: {
    toModels: [
      /\b(?:ignoriere|vergiss|missachte)\b[^.!?\n]{0,60}(?:anweisung|regeln|vorgabe|kontext)|^\W*(?:bitte\s+)?(?:antworte|sage? (?:dem|der) (?:nutzer|benutzer)|schreibe? nur)\b|\bdu bist (?:jetzt|nun|ab sofort)\b[^.!?\n]{0,40}(?:ki|assistent|modell|bot)\b/iu,
    ],
    words: 'anweisung',
  },
  recommended: {
    heading: 'Was sollte ich über „{}“ wissen?',
    amount: 'Welcher Betrag ist laut „{title}“ als {} angegeben?',
    field: 'Was ist laut „{title}“ als {} angegeben?',
    ofRow: '{} von {row}',
    title: 'Um was geht es in „{title}“?',
    phrase: 'Wo geht es um „{}“?',
  },
  claims: {
    not: 'nicht|keine?[nmrs]?|nie|niemals|niemand|nichts|ohne|verboten|untersagt|ausgeschlossen|unmöglich|ungültig|unzulässig',
    harmless: 'nicht (?:nur|mehr als|weniger als|später als|länger als|höher als)',
    beforeName: 'in|aus|nach|Firma|Frau|Herrn?',
    contrasts: 'aber|sondern|jedoch|während|und',
    opposites: [
      'erlaubt gestattet zulässig/verboten untersagt unzulässig',
      'mehr/weniger',
      'über/unter',
      `stieg stiegen steigt gestiegen wuchs gewachsen erhöht/sank sanken sinkt gesunken fiel fielen gefallen
verringert`,
      'höher größer länger/niedriger kleiner kürzer',
      'früher/später',
      'erste ersten erster/letzte letzten letzter',
      'mindestens wenigstens/höchstens maximal',
      'dafür/dagegen',
      'gewinn/verlust',
      'einnahmen/ausgaben',
      'kauft kaufte käufer/verkauft verkaufte verkäufer',
      'genehmigt angenommen/abgelehnt',
      'gewann/verlor',
      'ankunft/abfahrt',
      'inbegriffen enthalten/ausgeschlossen',
    ],
    knowsNothing:
      'keine (?:Angaben?|Informationen)|nicht (?:erwähnt|angegeben|genannt)|weiß (?:ich )?nicht',
  },
};
