import type { PaperWords } from './paper-words.ts';

export const nl: PaperWords = {
  kinds: {
    amendment: 'aanhangsels?|addend(?:um|a)|wijziging(?:en)?|allonges?',
    certificate: '\\p{L}*certifica(?:at|ten)|verklaring(?:en)?|\\p{L}*bewij(?:s|zen)',
    contract: '\\p{L}*contract(?:en)?|\\p{L}*overeenkomst(?:en)?|algemene voorwaarden',
    invoice: "facturen|factuur|nota['’]?s?|\\p{L}*rekening(?:en)?|creditnota['’]?s?",
    journal: 'dagboek(?:en)?|logboek(?:en)?',
    letter: '\\p{L}*brie(?:f|ven)|herinnering(?:en)?|aanmaning(?:en)?',
    list: '\\p{L}*lijst(?:en)?|inventaris(?:sen)?',
    mail: 'e-?mails?|mails?|mailtjes?',
    manual: '\\p{L}*handleiding(?:en)?|gids(?:en)?|documentatie|instructies',
    minutes: 'notulen|verslag(?:en)?|\\p{L}*vergadering(?:en)?|\\p{L}*bespreking(?:en)?',
    offer: 'offertes?|aanbieding(?:en)?|voorstel(?:len)?',
    payslip: 'loonstro(?:ok|ken)|salarisstro(?:ok|ken)|loonspecificaties?',
    policy: '\\p{L}*polis(?:sen)?|\\p{L}*verzekering(?:en)?',
    receipt: 'kassabon(?:nen)?|bonnetjes?|kwitanties?',
    recipe: 'recept(?:en)?',
    report: '\\p{L}*rapport(?:en)?',
    rules: 'statuten|\\p{L}*reglement(?:en)?|\\p{L}*regels',
    statement: '\\p{L}*afschrift(?:en)?|\\p{L}*overzicht(?:en)?|\\p{L}*aangiftes?',
    talk: 'presentaties?|lezing(?:en)?',
  },
  salutation: 'geachte|beste|lieve|hallo|hoi|goede(?:morgen|middag|navond)',
  closing:
    'met vriendelijke groet(?:en)?|(?:hartelijke|vriendelijke) groet(?:en)?|hoogachtend|groet(?:en|jes)?|mvg',
  dated: '(?:factuur)?datum|d\\.d\\.|opgemaakt op|getekend op|in de versie van|vastgesteld op|per',
  otherDay: 'geboren|tot|voor|uiterlijk|vervalt|vanaf|sinds|geldig|vóór|t/m',
  parties:
    'van|aan|aanwezig|aanwezigen|deelnemers|huurder|verhuurder|koper|verkoper|opdrachtgever|opdrachtnemer|werkgever|werknemer|verzekerde|verzekeringnemer|klant|patiënt|rekeninghouder|ontvanger|afzender|naam',
  between: 'tussen',
  honorifics: 'dhr|mevr|mw|dr|prof|de heer|mevrouw|familie',
  subject: 'betreft|onderwerp|betr',
  version: 'versies?|edities?|uitgaven?|herziening|concept',
  replaces:
    'vervangt|wijzigt|gewijzigd|vernieuwt|verlengt|in de plaats van|aanvulling op|herziet|komt te vervallen',
  changes:
    'met ingang van|per direct|vanaf|voortaan|niet (?:meer|langer)|wordt (?:verhoogd|verlaagd|verplaatst)|nieuwe? (?:datum|prijs|huur|tarief|nummer|adres|bedrag)|stijgt|daalt|in plaats van|tot nu toe|verzet|nu',
  say: {
    more: 'en nog {}',
    oneFile: '1 bestand',
    newest: '{} bestanden, de nieuwste eerst',
    none: 'Zulke bestanden zijn er niet.',
    noneThen: 'In die tijd zijn er geen zulke bestanden geüpload.',
  },
};
