import type { LanguagePack, TimeWords } from './language.ts';

const TIME: TimeWords = {
  units: { year: 'années?|exercice' },
  phrases: { 'month 0': 'ce mois' },
  last: 'derni(?:er|ère)s?|passée?s?|précédente?s?',
  weekend: 'week-end dernier',
  seasons: ['printemps', 'été', 'automne', 'hiver'],
  ordinals: ['premier|1er', 'deuxième|2e', 'troisième|3e', 'quatrième|4e'],
  quarter: 'trimestre',
  half: 'semestre',
  of: "de |du |d['’]",
  on: 'le',
  before: 'avant(?: le)?',
  after: 'après(?: le)?',
  since: 'depuis(?: le)?',
  from: 'entre(?: le)?|du',
  to: '(?:et|au)(?: le)?',
};

export const french: LanguagePack = {
  code: 'fr',
  stemmer: 'french',
  stopWords: 'fra',
  numbers: '- - deux trois quatre cinq six - huit neuf dix onze douze',
  one: 'un une',
  time: TIME,
  measures: { year: 'année années', percent: 'pourcent' },
  question: {
    quantity: 'combien',
    time: 'quand',
    person: 'qui',
    place: 'où',
    reason: 'pourquoi',
    manner: 'comment',
    which: 'quel|quelle|quels|quelles',
    what: 'quoi',
    auxiliaries: 'est sont était ont peut',
    requests: 'donne',
    light: `combien faut-il y-a-t-il passera-t-il est-ce qui faut dure quel quelle lequel numéro nombre
temps fait est-il`,
  },
  small: {
    firstPerson: 'je j mon ma mes moi nous notre nos',
    determiners: 'le la les un une mon ma',
    each: 'par',
    copulas: 'est sont signifie',
  },
  references: {
    pronouns: 'ils?|elles?|lui|ça|cela|celui-ci|celle-ci',
    possessives: 'son|sa|ses|leurs?',
    opening: /^(?:(?:et|mais|ou)[\s,]+)*(?:qu['’]en est-il (?:de |du |des )?|pour\s+)?/iu,
  },
  phrases: {
    outside: `page pages bonjour merci madame monsieur cordialement veuillez agréer salutations distinguées euros
euro peut peuvent doit doivent fait font faut va vont nouveau nouvelle nouveaux nouvelles premier
première premiers dernier dernière autre autres chaque plusieurs même mêmes tout toute toutes tous
grand grande petit petite bon bonne est sont était étaient sera seront été être avoir`,
    leads: `le la les un une des du au aux de pour par avec sans sur votre notre son sa ses ce cette`,
    joins: 'de du des d en à',
    nameJoins: 'de la le du',
  },
  uploads: {
    picture: 'images?|photos?',
    spreadsheet: 'tableurs?',
    presentation: 'présentations?',
    recording: 'enregistrements?',
    video: 'vidéos?',
    files: 'fichiers?|documents?',
    uploaded: "(?:ai-je|avons-nous|j['’]ai|nous avons) (?:téléversé|téléchargé|importé|déposé)e?s?",
    added: "(?:ai-je|avons-nous|j['’]ai|nous avons) (?:ajouté|enregistré|mis)e?s?|ajoutée?s?",
    newest: 'derniers?|dernières?|récents?|récemment',
    list: 'mes|nos|tous|toutes|montre|affiche|ai|combien|quel(?:le)?s',
    fillers: 'montre(?:z)?|moi|affiche|liste[rz]?|tous|toutes|est|ce|ai|je|été|qu',
  },
  files: {
    named: 'dans (?:le|mon) (?:fichier|document)',
    according: "selon|d['’]après",
    beforeQuoted: 'selon|dit|dans|fichier',
    folder: 'dossier|répertoire',
    except: 'sauf|excepté|hormis|sans',
    article: "le|la|les|mon|ma|l['’]|fichier|dossier",
  },
  recommended: {
    heading: 'Que faut-il savoir sur « {} » ?',
    amount: 'Quel montant est indiqué comme {} dans « {title} » ?',
    field: 'Qu’est-il indiqué comme {} dans « {title} » ?',
    ofRow: '{} de {row}',
    title: 'Que dit « {title} » ?',
    name: 'Que sait-on sur {} ?',
    phrase: 'Où est-il question de « {} » ?',
  },
  claims: {
    not: 'pas|jamais|aucune?|sans|rien|interdite?s?|exclue?s?',
    harmless: 'pas (?:plus|moins|seulement)|ne [^,.;]{0,30} que',
    contrasts: 'mais|et',
    opposites: [
      'autorisé autorisés autorisée permis/interdit interdite interdits',
      'plus/moins',
      'augmenté/baissé diminué',
    ],
    knowsNothing: 'pas (?:mentionné|précisé|indiqué)',
  },
};
