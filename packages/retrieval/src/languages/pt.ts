import type { LanguagePack } from './language.ts';

export const portuguese: LanguagePack = {
  code: 'pt',
  stemmer: 'portuguese',
  stopWords: 'por',
  numbers: '- - dois três quatro cinco seis sete oito nove - - doze',
  one: 'um uma',
  time: {
    last: 'últim[oa]s?|passad[oa]s?',
    weekend: '(?:último )?fim de semana(?: passado)?',
    of: 'de |do ',
    before: 'antes de',
    since: 'desde(?: o)?',
  },
  question: {
    quantity: 'quanto|quanta|quantos|quantas',
    time: 'quando',
    person: 'quem',
    place: 'onde',
    reason: 'por que',
    manner: 'como',
  },
  small: {
    firstPerson: 'eu me meu minha meus minhas nós nosso nossa nossos nossas',
    copulas: 'é são',
  },
  phrases: {
    leads: 'o a os as um uma do da dos das no na ao para por com sem seu sua',
    joins: 'de do da dos das',
    nameJoins: 'dos da',
  },
  recommended: {
    heading: 'O que devo saber sobre «{}»?',
    amount: 'Que valor consta como {} em «{title}»?',
    field: 'O que consta como {} em «{title}»?',
    ofRow: '{} de {row}',
    title: 'O que está em «{title}»?',
    name: 'O que se sabe sobre {}?',
    phrase: 'Onde se menciona «{}»?',
  },
  claims: { not: 'não|nunca|nenhuma?|sem|proibid[oa]' },
};
