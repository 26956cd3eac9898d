import type { Question } from './question.ts';
import { allWords, alternatives, LANGUAGES, packOf } from '../languages/index.ts';
import { wordsOf } from '../analysis/words.ts';
import type { Word } from '../analysis/words.ts';

/** What a value of a concept looks like: it need not be called by any of its words. */
const VALUES: Readonly<Record<string, RegExp>> = {
  cost: new RegExp(
    String.raw`[€$£¥₽]\s?\d|\d\s?(?:[€$£¥₽円]|(?:eur|usd|gbp|chf|${alternatives(({ small }) => small?.money)})(?!\p{L}))`,
    'iu',
  ),
  phone:
    /(?<![\p{L}\d-])\+?\(?(?=(?:\d{2,3}[\s()./-]{0,3}){3})\d{2,}(?:(?:[\s./-]\(?|\)[\s./-]?|\)?\()\d{2,})*(?<=(?:\d[\s()./-]{0,2}){9})/u,
  email: /[^\s@]@[^\s@]+\.\p{L}{2}/u,
  date: /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}\b|\b\d{1,2}\.?(?: de)? \p{L}{3,}|\p{L}{3} \d{1,2}(?:, \d{4})?\b|\d月\d/u,
};

/** Families of words that stand for one another in letters, bills and tables. */
const FAMILIES = [...new Set(LANGUAGES.flatMap(({ concepts = {} }) => Object.keys(concepts)))].map(
  (name) => ({ words: allWords(({ concepts }) => concepts?.[name]), value: VALUES[name] }),
);

const LIGHT_WORDS = allWords(({ question }) => question?.light);

const LIGHT = 0.15;
const FIGURE = 1.5;

/** What a question's words ask of an answer. */
export interface Asked {
  /** For each of the question's terms, how much it is missed where it is nowhere to be found. */
  demands: readonly number[];
  /** The sum of the demands. */
  demand: number;
  /** 1 for the terms that say what is wanted, 0 for those that say of whom or what. */
  focus: readonly number[];
  /** Other words for a term, in small letters. */
  aliases: ReadonlyMap<string, readonly number[]>;
  /** Values that answer for a term without its word. */
  values: readonly { value: RegExp; terms: readonly number[] }[];
}

/** What a question asks for: which of its words matter, and what may stand for them. */
export function askedOf(question: Question): Asked {
  const aliases = new Map<string, number[]>();
  const values: { value: RegExp; terms: number[] }[] = [];
  const surfaces = question.terms.map(({ surface }) => surface.toLowerCase());
  for (const { words, value } of FAMILIES) {
    const terms = surfaces.flatMap((surface, at) => (words.has(surface) ? [at] : []));
    if (terms.length === 0) continue;
    for (const word of words) aliases.set(word, [...(aliases.get(word) ?? []), ...terms]);
    if (value !== undefined) values.push({ value, terms });
  }
  const demands = question.terms.map<number>(({ surface, weight, name }) => {
    if (weight < 0.35) return 0;
    if (weight < 1 || LIGHT_WORDS.has(surface.toLowerCase())) return LIGHT;
    return name && /\p{N}/u.test(surface) ? FIGURE : 1;
  });
  const demand = demands.reduce((sum, value) => sum + value, 0);
  return {
    demands,
    demand: Math.max(demand, LIGHT),
    focus: focusOf(question, demands),
    aliases,
    values,
  };
}

/** What parts the wanted thing from what it belongs to: 'the price of the car', 'die Miete in Berlin'. */
const BREAKS = allWords(({ small, question }) => [small?.prepositions, question?.helpers]);

function focusOf({ text, terms, language }: Question, demands: readonly number[]): number[] {
  const owner = /^(.*\p{L})['’]s\s/u.exec(text)?.[1];
  const rest = owner === undefined ? text : text.slice(owner.length + 2);
  const isName = (at: number): boolean =>
    !packOf(language).capitalNouns && terms[at]?.capital === true;
  const group: number[] = [];
  const all: number[] = [];
  let open = true;
  for (const { surface, lower } of wordsOf(rest).words) {
    const at = terms.findIndex((term) => term.surface === surface);
    if (at === -1) {
      if (BREAKS.has(lower) && group.some((at) => (demands[at] ?? 0) >= 1)) open = false;
    } else if (!isName(at) && (demands[at] ?? 0) > 0) {
      if (open) group.push(at);
      all.push(at);
    }
  }
  const chosen = new Set(group.some((at) => (demands[at] ?? 0) >= 1) ? group : all);
  return terms.map((_, at) => Number(chosen.has(at)));
}

/** The words of a field's name: 'lan.ipAddress' and 'memory_gb' taken apart. */
export function wordsOfName(name: string): readonly Word[] {
  const spaced = name
    .replace(/(?<=\p{L})[._](?=\p{L})/gu, ' ')
    .replace(/(?<!\p{L})\p{Ll}\p{L}*/gu, (word) => word.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '));
  return wordsOf(spaced).words;
}
