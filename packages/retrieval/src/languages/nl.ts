import type { LanguagePack } from './language.ts';

export const dutch: LanguagePack = {
  code: 'nl',
  stemmer: 'dutch',
  stopWords: 'nld',
  numbers: '- - twee drie vier vijf zes zeven acht negen tien elf twaalf',
  one: 'een',
  time: {
    last: 'vorige?|laatste|afgelopen',
    weekend: '(?:vorig|afgelopen) weekend',
    before: 'voor',
    after: 'na',
    since: 'sinds',
  },
  question: {
    quantity: 'hoeveel',
    time: 'wanneer',
    person: 'wie is',
    place: 'waar',
    reason: 'waarom',
    manner: 'hoe',
  },
  small: { firstPerson: 'ik mij mijn wij ons onze' },
  phrases: {
    leads: 'de het een van voor met in op bij door zonder zijn haar hun',
    joins: 'van de der den',
    nameJoins: 'van der den',
  },
  recommended: {
    heading: 'Wat moet ik weten over “{}”?',
    amount: 'Welk bedrag staat er als {} in “{title}”?',
    field: 'Wat staat er als {} in “{title}”?',
    ofRow: '{} van {row}',
    title: 'Wat staat er in “{title}”?',
    name: 'Wat is er bekend over {}?',
    phrase: 'Waar wordt “{}” genoemd?',
  },
  claims: { not: 'niet|geen|nooit|zonder|verboden' },
};
