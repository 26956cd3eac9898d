import { askedOf, wordsOfName } from './asked.ts';
import type { Asked } from './asked.ts';
import { fieldsAt } from './fields.ts';
import type { Field } from './fields.ts';
import { mayBe } from './heads.ts';
import { stopWords } from './languages.ts';
import { createMatcher, forgiveTypos } from './matching.ts';
import type { Matcher } from './matching.ts';
import { analyzePassage } from './passage-analysis.ts';
import type { Question } from './question.ts';
import { plainText, questionMass } from './rank.ts';
import type { RankedPassage, RankedSentence } from './rank.ts';
import { wordAt } from './tokens.ts';
import { ANSWER, MATCHING, REPLY, REPLY_WEIGHTS } from './weights.ts';
import { DIGIT, wordsOf } from './words.ts';
import type { Word } from './words.ts';

/** What speaks for a sentence as a reply, beside how its words fit; all are between 0 and 1. */
export interface ReplyFeatures {
  /** For a record, the share of what was asked that its values say: it is the record asked for. */
  key: number;
  /** Share of what is wanted that the sentence names. */
  focus: number;
  /** Where that is named, the share of all else that was asked and stands around it. */
  rest: number;
  /** 1 when a figure stands before the thing that was to be counted. */
  counted: number;
  /** Share of the passage's sentences that are lines of a form, a list, a table: short and named. */
  terse: number;
  /** Share of what was asked that is said neither here nor elsewhere in the file. */
  missing: number;
  /** 1 when a field's name says what was asked for and its value is new. */
  label: number;
  /** 1 when something looks like the asked value: an amount of money, a telephone number. */
  value: number;
  /** 1 when nothing is said but what the question said: a title, a heading. */
  echo: number;
}

/** A sentence with the passage it stands in. */
export interface Candidate {
  passage: RankedPassage;
  sentence: RankedSentence;
  reply: ReplyFeatures;
}

/** The sentences an answer may be made of, best first. */
export function candidatesOf(question: Question, ranked: readonly RankedPassage[]): Candidate[] {
  const passages = ranked.slice(0, ANSWER.passages);
  const asked = askedOf(question);
  const reader = createReader(question, asked, passages);
  const files = new Map<string, Float64Array>();
  const wholes = passages.map((passage) => {
    const whole = reader.passage(passage);
    const file = files.get(passage.artifactId) ?? new Float64Array(asked.demands.length);
    whole.forEach((strength, at) => {
      file[at] = Math.max(file[at] ?? 0, strength * REPLY.elsewhere);
    });
    files.set(passage.artifactId, file);
    return whole;
  });
  const candidates = passages.flatMap((passage, i): Candidate[] => {
    const around = wholes[i] ?? new Float64Array();
    const file = files.get(passage.artifactId) ?? around;
    const known = around.map((strength, at) => Math.max(strength, file[at] ?? 0));
    return passage.sentences
      .flatMap((sentence) => linesOf(passage.text, sentence))
      .map((sentence) => withoutItsNumber(question, passage.text, sentence))
      .map((sentence) => ({ passage, sentence, reply: reader.reply(passage, sentence, known) }));
  });
  return byScore(candidates, brevityOf(question));
}

/** A field's name is measured by the best one: 'Due date' is all of 'the due date of invoice 7'. */
function byScore(candidates: readonly Candidate[], brevity: number): Candidate[] {
  const best = Math.max(REPLY.leastLabel, ...candidates.map(({ reply }) => reply.label));
  const ranked = candidates
    .map(({ passage, sentence, reply: raw }) => {
      const reply = { ...raw, label: (raw.label / best) * (1 - raw.missing) ** 2 };
      const score = sentence.score + replyScore(reply, sentence, brevity);
      return { passage, sentence: { ...sentence, score }, reply };
    })
    .sort((a, b) => b.sentence.score - a.sentence.score);
  return brevity < 1 ? ranked : directFirst(ranked);
}

/** 'Who invented it?': of two sentences that say as much of the question, the one with a name in it. */
function directFirst(ranked: readonly Candidate[]): Candidate[] {
  const [first, ...others] = ranked;
  if (first === undefined || first.sentence.features.type !== 0) return [...ranked];
  const direct = others.find(
    ({ passage, sentence, reply }) =>
      passage === first.passage &&
      sentence.features.type === 1 &&
      sentence.features.coverage >= REPLY.directCoverage &&
      reply.missing <= first.reply.missing + REPLY.directMissing,
  );
  if (direct === undefined) return [...ranked];
  const score = first.sentence.score;
  const raised = { ...direct, sentence: { ...direct.sentence, score } };
  return [raised, ...ranked.filter((candidate) => candidate !== direct)];
}

/** 1 for a question of a few words; in a long one each says less of what is wanted. */
function brevityOf(question: Question): number {
  const { fewWords, manyWords } = REPLY;
  const share = (manyWords - questionMass(question)) / (manyWords - fewWords);
  return Math.min(1, Math.max(0, share));
}

const WEIGHED = ['key', 'focus', 'rest', 'counted', 'missing', 'label', 'value', 'echo'] as const;

function replyScore(reply: ReplyFeatures, { features }: RankedSentence, brevity: number): number {
  let score = features.type === 0 ? REPLY_WEIGHTS.untyped * brevity : 0;
  for (const name of WEIGHED) {
    const scale = name === 'focus' || name === 'rest' ? brevity : 1;
    score += REPLY_WEIGHTS[name] * reply[name] * scale;
  }
  // In prose, and for long questions, the words of the sentence itself tell more.
  const share = REPLY.inProse + (1 - REPLY.inProse) * reply.terse;
  return score * share * Math.max(brevity, REPLY.inLong * reply.terse);
}

/** 'Fee: 5' below 'Plan: monthly': lines that each name a value are no sentence together. */
function linesOf(text: string, sentence: RankedSentence): RankedSentence[] {
  const { start, end } = sentence;
  const whole = text.slice(start, end);
  if (!whole.includes('\n')) return [sentence];
  const lines = [...whole.matchAll(/[^\n]+/gu)].map((match) => {
    const from = start + match.index + (match[0].length - match[0].trimStart().length);
    return { ...sentence, start: from, end: start + match.index + match[0].trimEnd().length };
  });
  const named = lines.filter((line) => fieldsAt(text, line.start, line.end).length > 0).length;
  return named > 0 && named >= lines.length - 1
    ? lines.filter(({ start: a, end: b }) => b > a)
    : [sentence];
}

/** '2. Whisk the eggs' counts nothing: the number is the step's own. */
function withoutItsNumber(
  { type }: Question,
  text: string,
  sentence: RankedSentence,
): RankedSentence {
  const line = text.slice(sentence.start, sentence.end);
  if (type !== 'quantity' || !LIST_NUMBER.test(line)) return sentence;
  if (/\p{N}/u.test(line.replace(LIST_NUMBER, ''))) return sentence;
  return { ...sentence, features: { ...sentence.features, type: 0 } };
}

interface Reader {
  /** How strongly each term stands in a passage, its file name and headings. */
  passage(passage: RankedPassage): Float64Array;
  reply(passage: RankedPassage, sentence: RankedSentence, around: Float64Array): ReplyFeatures;
}

function createReader(
  question: Question,
  asked: Asked,
  passages: readonly RankedPassage[],
): Reader {
  const strict = createMatcher(question);
  const matcher = forgiving(question, passages, strict);
  const count = asked.demands.length;
  const mark = (into: Float64Array, word: Word): boolean => {
    let known = false;
    const match = matcher.match(word);
    const raise = (at: number, strength: number): void => {
      known = true;
      into[at] = Math.max(into[at] ?? 0, strength);
    };
    for (const at of match?.exact ?? []) raise(at, 1);
    for (const at of match?.lowered ?? []) raise(at, 1);
    for (const at of match?.soft ?? []) raise(at, REPLY.soft);
    for (const at of asked.aliases.get(word.lower) ?? []) raise(at, REPLY.alias);
    return known;
  };
  const share = (strengthOf: (at: number) => number): number =>
    asked.demands.reduce((sum, demand, at) => sum + demand * strengthOf(at), 0) / asked.demand;
  const wanted = asked.demands.map((demand, at) => demand * (asked.focus[at] ?? 0));
  const wantedSum = wanted.reduce((sum, value) => sum + value, 0);
  const focusShare = (strengthOf: (at: number) => number): number =>
    wantedSum === 0
      ? 0
      : wanted.reduce((sum, value, at) => sum + value * strengthOf(at), 0) / wantedSum;
  const isWanted = (word: Word): boolean => {
    const match = matcher.match(word);
    return [...(match?.exact ?? []), ...(match?.lowered ?? [])].some((at) => (wanted[at] ?? 0) > 0);
  };
  const isPlain = (word: Word): boolean =>
    stopWords(question.language).has(word.lower) ||
    (word.lower.length < 2 && (word.shape & DIGIT) === 0);

  const terse = new Map(passages.map(({ text }) => [text, terseness(text)]));

  return {
    passage({ text, fileName, headings }) {
      const strengths = new Float64Array(count);
      for (const line of [fileName, ...headings])
        for (const word of wordsOf(line).words) mark(strengths, word);
      const { tokens } = analyzePassage(text);
      for (let i = 0; i < tokens.heads.length; i += 1) {
        if (mayBe(matcher.filter, tokens.heads[i] ?? 0)) mark(strengths, wordAt(tokens, i));
      }
      return strengths.map((strength) => strength * REPLY.around);
    },
    reply(passage, { start, end, kind, features }, around) {
      const text = passage.text.slice(start, end);
      const said = new Float64Array(count);
      const own = new Float64Array(count);
      const fields = fieldsAt(passage.text, start, end);
      const lines = fields.length > 0 ? fields.map(({ value }) => value) : [text];
      let fresh = 0;
      let counted = 0;
      for (const line of lines) {
        let figure = -MAX_DISTANCE;
        wordsOf(line.replace(LIST_NUMBER, '')).words.forEach((word, i) => {
          const known = mark(own, word);
          if (!known && !isPlain(word)) fresh += 1;
          if (!known && (word.shape & DIGIT) !== 0) figure = i;
          else if (known && i - figure < MAX_DISTANCE && isWanted(word)) counted = 1;
        });
      }
      own.forEach((strength, at) => (said[at] = strength));
      for (const { name } of fields) for (const word of wordsOfName(name)) mark(said, word);
      let value = 0;
      for (const { value: shape, terms } of asked.values) {
        if (!shape.test(text)) continue;
        value = 1;
        for (const at of terms) said[at] = Math.max(said[at] ?? 0, REPLY.alias);
      }
      const label = labelled(fields, features.type);
      const focus = focusShare((at) => said[at] ?? 0);
      const other = (at: number): number =>
        asked.focus[at] === 1 ? 0 : Math.max(0, (around[at] ?? 0) - (said[at] ?? 0));
      const key = fields.length > 1 ? share((at) => own[at] ?? 0) : 0;
      const line = fields.length > 0 || features.substance < 1 || kind === 'item';
      const usual = line ? (features.type === 0 ? REPLY.ofOtherType : 1) : 0;
      const silent = fresh === 0 || (fresh === 1 && features.type < 1);
      const isNames = isHeading(passage, text) || isRowOfNames(passage.text, end, fields);
      return {
        key,
        focus: focus * usual,
        rest: focus > 0 && (fields.length < 2 || key > 0) ? share(other) * usual : 0,
        terse: terse.get(passage.text) ?? 0,
        counted: question.type === 'quantity' && line ? counted : 0,
        missing: 1 - share((at) => Math.max(said[at] ?? 0, around[at] ?? 0)),
        label,
        value,
        echo: isNames
          ? 1
          : Number(silent && label === 0 && question.type !== 'yesNo') / (fresh + 1),
      };
    },
  };

  /** How much of what was asked the best field's name says, when its value says something else. */
  function labelled(fields: readonly Field[], type: number): number {
    let best = 0;
    for (const field of fields) {
      if (field.name === '') continue;
      const name = new Float64Array(count);
      let extra = 0;
      for (const word of wordsOfName(field.name))
        if (!mark(name, word) && !isPlain(word)) extra += 1;
      const named = focusShare((at) => name[at] ?? 0);
      if (named === 0) continue;
      const value = new Float64Array(count);
      if (wordsOf(field.value).words.every((word) => isLetters(word) && mark(value, word)))
        continue;
      // The first column says what a row is about, and seldom what is asked of it.
      // 'Guest Wi-Fi password' names another thing than 'Wi-Fi password'.
      const first = fields.length > 2 && field === fields[0];
      best = Math.max(
        best,
        (named / (1 + REPLY.extraWord * extra)) * (first ? REPLY.keyColumn : 1),
      );
    }
    return type === 0 ? best / 2 : best;
  }
}

/** Words from a figure to what it counts. */
const MAX_DISTANCE = 4;
/** An e-mail address is more than the name in it. */
const isLetters = ({ lower }: Word): boolean => /^[\p{L}\p{M}]+$/u.test(lower);
const LIST_NUMBER = /^\d{1,3}[.)]\s+/u;

/** A matcher that forgives typos in words that none of the passages has. */
function forgiving(
  question: Question,
  passages: readonly RankedPassage[],
  strict: Matcher,
): Matcher {
  const analyses = passages.map(({ text }) => analyzePassage(text));
  const found = new Set<number>();
  for (const { tokens } of analyses) {
    for (let i = 0; i < tokens.heads.length; i += 1) {
      if (!mayBe(strict.filter, tokens.heads[i] ?? 0)) continue;
      const match = strict.match(wordAt(tokens, i));
      for (const at of match?.exact ?? []) found.add(at);
      for (const at of match?.soft ?? []) found.add(at);
      for (const at of match?.lowered ?? []) found.add(at);
    }
  }
  const missing = question.terms.flatMap((_, at) => (found.has(at) ? [] : [at]));
  return forgiveTypos(question, missing, analyses, strict) ?? strict;
}

function isHeading({ headings, fileName }: RankedPassage, text: string): boolean {
  if (/^#{1,6}\s/u.test(text)) return true;
  const plain = plainText(text);
  return [fileName.replace(/\.\p{L}\w{1,4}$/u, ''), ...headings].some(
    (line) => plainText(line) === plain,
  );
}

/** The row that names a table's columns: the next one begins with its first cell's name. */
function isRowOfNames(text: string, end: number, fields: readonly Field[]): boolean {
  const [first] = fields;
  if (first === undefined || fields.length < 2 || fields.some(({ name }) => name !== ''))
    return false;
  const rest = text.slice(end).trimStart();
  return rest.startsWith(`${first.value}: `) || /^\|?\s?:?-{3}/u.test(rest);
}

/** How much of a passage is lines rather than prose: 0 for what has at most a few of them. */
function terseness(text: string): number {
  const { sentences } = analyzePassage(text);
  const lines = sentences.filter(
    ({ start, end, kind, firstWord, endWord }) =>
      kind !== 'prose' ||
      endWord - firstWord < MATCHING.fullSentence ||
      fieldsAt(text, start, end).length > 0,
  );
  const share = lines.length / Math.max(1, sentences.length);
  return Math.max(0, (share - REPLY.linesInProse) / (1 - REPLY.linesInProse));
}
