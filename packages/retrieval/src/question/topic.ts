import { stopWords } from '../analysis/languages.ts';
import { CAPITAL, type Word, wordsOf } from '../analysis/words.ts';

/** The languages whose questions are taken apart. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'it';

/** Words that only hold a question together: no part of what it is about. */
export const FRAME = new Set(
  `who whom whose what when where why which how much many long often far old high big tall expensive
is are was were do does did can could will would has have had should may must shall might be been
tell me about show list give find describe explain please us you know there any exactly
wer wen wem wessen was wann wo wohin woher warum wieso weshalb welche welcher welches welchen welchem
wie viel viele lange oft weit alt hoch groß teuer ist sind war waren wird werden wurde wurden hat haben
hatte kann können darf dürfen muss müssen soll sollen gibt es bitte nenne zeige erkläre beschreibe mir
endet beginnt kostet läuft gilt dauert heißt lautet steht liegt kommt
qui que quoi quand où pourquoi comment combien quel quelle quels quelles est sont était a ont fait
coûte dure il elle t
quién quiénes qué cuándo dónde cómo cuánto cuánta cuántos cuántas cuál cuáles es son era fue está tiene
cuesta dura termina empieza hay
chi cosa quando dove perché come quanto quanta quanti quante quale quali è sono era ha costa`.split(
    /\s+/u,
  ),
);

/** Verbs that end what an English question with 'do' is about: 'How much does the plan | cost?' */
const VERBS = new Set(
  `cost costs end ends expire start begin take cover include last work live move study pay say mean
happen need have get make use run apply contain offer require recommend weigh open close arrive leave
depart come go belong owe earn sell buy write invent found build sign own manage lead provide produce`.split(
    /\s+/u,
  ),
);

export const clean = (text: string): string =>
  text
    .replace(/(?<![\s?？؟¿!.,;:])[\s?？؟¿!.,;:]+$/u, '')
    .replace(/^¿/u, '')
    .trim();

/** The language a short question is written in, as far as it refers back: by its own small words. */
export function languageOf(text: string): Language {
  const { words } = wordsOf(text.replaceAll('-', ' '));
  let best: Language = 'en';
  let most = 0;
  for (const language of ['en', 'de', 'fr', 'es', 'it'] as const) {
    const stop = stopWords(language);
    const hits = words.filter(({ lower }) => stop.has(lower)).length;
    if (hits > most) [best, most] = [language, hits];
  }
  return best;
}

export interface Token {
  word: Word;
  start: number;
  end: number;
}

export function tokensOf(text: string): Token[] {
  const { words, starts, ends } = wordsOf(text);
  return words.map((each, i) => ({ word: each, start: starts[i] ?? 0, end: ends[i] ?? 0 }));
}

export const isCapital = ({ word: { shape } }: Token): boolean => (shape & CAPITAL) !== 0;

const AUXILIARY =
  /^(?:is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|had|ist|sind|war|waren|hat|haben|wird|wurde|est|sont|es|son)$/u;
export const DETERMINER =
  /^(?:the|a|an|my|our|your|der|die|das|den|dem|ein|eine|mein|meine|unser|unsere|le|la|les|un|une|mon|ma|el|los|las|il|lo|gli)$/u;

/** What a question is about, in its own words: 'the lease' of 'When does the lease end?'. */
export function topicOf(question: string): string {
  const text = clean(question);
  const language = languageOf(text);
  const tokens = tokensOf(text);
  const first = topicStart(tokens, language);
  if (first === -1) return '';
  const noun = tokens.findLastIndex(
    (token, i) => i >= first && (isCapital(token) || /\p{N}/u.test(token.word.lower)),
  );
  let last = tokens.length - 1;
  if (language === 'de' && noun !== -1) last = noun;
  const verb = language === 'en' ? closingVerb(tokens, first) : -1;
  if (verb > first) last = verb - 1;
  return text.slice(tokens[first]?.start ?? 0, tokens[last]?.end ?? text.length);
}

export const lowerAt = (tokens: readonly Token[], i: number): string => tokens[i]?.word.lower ?? '';

function topicStart(tokens: readonly Token[], language: Language): number {
  const first = tokens.findIndex(
    ({ word: { lower } }) =>
      !FRAME.has(lower) && (DETERMINER.test(lower) || !stopWords(language).has(lower)),
  );
  if (first <= 0) return first;
  const before = lowerAt(tokens, first - 1);
  // 'What colour is the car?' is about the car.
  if (/^(?:which|what|many|much|welche[rsmn]?|viele?|quell?e?s?|qué)$/u.test(before)) {
    const verb = tokens.findIndex(({ word: { lower } }, i) => i > first && AUXILIARY.test(lower));
    if (verb !== -1 && verb + 1 < tokens.length) return verb + 1;
  }
  // 'Who wrote the report?' is about the report.
  const does = /^(?:who|wer|qui|quién|chi|what|was|wann|wo|wie)$/u.test(before);
  const [verb, object] = [tokens[first], tokens[first + 1]];
  if (!does || verb === undefined || object === undefined) return first;
  const named = DETERMINER.test(object.word.lower) || isCapital(object);
  return named && !isCapital(verb) && !DETERMINER.test(verb.word.lower) ? first + 1 : first;
}

/** Where the verb stands that ends the topic of an English question; -1 where none is known. */
function closingVerb(tokens: readonly Token[], first: number): number {
  const before = lowerAt(tokens, first - 1);
  const end = tokens.length - 1;
  const last = tokens[end];
  if (/^(?:do|does|did|can|could|will|would|should|may|must)$/u.test(before)) {
    const known = tokens.findIndex(({ word: { lower } }, i) => i > first && VERBS.has(lower));
    if (known !== -1) return known;
    const opens = tokens[first];
    if (opens !== undefined && isCapital(opens)) {
      return tokens.findIndex((token, i) => i > first && !isCapital(token));
    }
    return end - first >= 2 && last !== undefined && !isCapital(last) ? end : -1;
  }
  // 'Is the flat furnished?', 'When was Goethe born?'; but 'What is the rent?'
  if (!/^(?:is|are|was|were|has|have|had)$/u.test(before)) return -1;
  if (/^(?:what|who|which)$/u.test(lowerAt(tokens, first - 2)) || last === undefined) return -1;
  const opens = DETERMINER.test(lowerAt(tokens, first)) ? 2 : 1;
  return end - first >= opens && !isCapital(last) ? end : -1;
}
