import type { LanguagePack } from './language.ts';

export const italian: LanguagePack = {
  code: 'it',
  stemmer: 'italian',
  stopWords: 'ita',
  numbers: '- - - tre quattro cinque - sette otto nove dieci undici dodici',
  one: 'un una',
  time: {
    last: 'ultim[oaie]|scors[oaie]',
    weekend: '(?:scorso|ultimo) fine settimana|fine settimana scorso',
    of: 'di ',
    before: 'prima del?',
    after: 'dopo(?: il)?',
    since: 'dal?',
  },
  measures: { dollar: 'dollari' },
  question: {
    quantity: 'quanto|quanta|quanti|quante',
    time: 'quando',
    person: 'chi',
    place: 'dove',
    reason: 'perché',
    manner: 'come',
    which: 'quale|quali',
    what: 'cosa',
    auxiliaries: 'sono era',
  },
  small: {
    firstPerson: 'io mi mio mia miei mie noi nostro nostra nostri nostre',
    determiners: 'il lo gli',
    each: 'al alla',
    copulas: 'è sono',
  },
  references: {
    pronouns: 'esso|essa|essi|lui|lei|loro|questo|quello|lì',
    possessives: 'suo|sua|suoi|sue|loro',
    opening: /^(?:(?:e|ma|o)[\s,]+)*(?:che (?:ne è|dire) (?:di|del|della)\s+)?/iu,
  },
  phrases: {
    leads: 'il lo la i gli le un uno una del della dei delle al alla nel nella per con senza',
    joins: 'di del della dei',
    nameJoins: 'di da',
  },
  claims: {
    not: 'non|mai|senza|nessun[oa]?|vietat[oaie]',
    harmless: 'non solo',
    contrasts: 'ma|e',
    opposites: ['più/meno', 'aumentato/diminuito calato', 'minimo/massimo'],
  },
};
