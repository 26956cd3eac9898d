import type { PaperWords } from './paper-words.ts';

export const de: PaperWords = {
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
  closing:
    'mit (?:freundlichen|besten|herzlichen|lieben) grüßen|(?:viele|liebe|beste|herzliche|freundliche) grüße|hochachtungsvoll|gruß|mfg',
  dated:
    '(?:rechnungs|ausstellungs|brief|beleg|druck)?datum|stand|ausgestellt(?: am)?|in der fassung vom|unterzeichnet am|beschlossen am|erstellt am',
  otherDay:
    'geboren|geb|bis|ab|fällig|seit|vor|gültig|spätestens|zum|ihr (?:schreiben|antrag) vom|beginn|ende',
  parties:
    'von|an|anwesend|anwesende|teilnehmer(?:innen)?|teilnehmende|entschuldigt|mieter(?:in)?|vermieter(?:in)?|käufer(?:in)?|verkäufer(?:in)?|auftraggeber(?:in)?|auftragnehmer(?:in)?|arbeitgeber(?:in)?|arbeitnehmer(?:in)?|versicherungsnehmer(?:in)?|versicherte[r]?|kunde|kundin|patient(?:in)?|kontoinhaber(?:in)?|empfänger(?:in)?|absender(?:in)?|name',
  between: 'zwischen',
  honorifics: 'herrn?|frau|dr|prof|familie',
  subject: 'betreff|betr|betrifft',
  version: 'version(?:en)?|ausgabe|auflage|fassung|entwurf|stand',
  replaces:
    'ersetzt|ersetzen|löst .{1,40} ab|ändert|geändert|nachtrag (?:nr\\.? ?\\d+ )?zu[mr]?|änderung de[sr]|ergänzt|verlängert|anstelle|tritt an die stelle|hebt .{1,40} auf|außer kraft',
  changes:
    'mit wirkung (?:vom|zum|ab)|ab sofort|ab dem|nicht mehr|künftig|nunmehr|neue[rsnm]? (?:termin|preis|miete|tarif|nummer|adresse|betrag|satz)|erhöht|steigt|gesenkt|sinkt|beträgt ab|bisher|statt|anstatt|verschoben|verlegt|wird (?:zu|auf)|jetzt',
  say: {
    more: 'und {} weitere',
    oneFile: '1 Datei',
    newest: '{} Dateien, die neuesten zuerst',
    none: 'Solche Dateien gibt es hier nicht.',
    noneThen: 'In dieser Zeit wurden keine solchen Dateien hochgeladen.',
  },
};
