import { fieldsAt } from '../analysis/fields.ts';
import type { Question } from '../question/question.ts';
import { questionMass } from '../ranking/rank.ts';
import type { RankedPassage, RankedSentence } from '../ranking/rank.ts';
import { OWN_NUMBER, replyFeatures, strengthsAround, terseness } from './reply.ts';
import type { ReplyFeatures } from './reply.ts';
import { createVocabulary } from '../analysis/vocabulary.ts';
import type { Strengths } from '../analysis/vocabulary.ts';
import { ANSWER, REPLY, REPLY_WEIGHTS } from '../ranking/weights.ts';

/** A sentence with the passage it stands in. */
export interface Candidate {
  passage: RankedPassage;
  sentence: RankedSentence;
  reply: ReplyFeatures;
}

/** The sentences an answer may be made of, best first. */
export function candidatesOf(question: Question, ranked: readonly RankedPassage[]): Candidate[] {
  const passages = ranked.slice(0, ANSWER.passages);
  const vocabulary = createVocabulary(question, passages);
  const wholes = passages.map((passage) => strengthsAround(vocabulary, passage));
  const files = new Map<string, Strengths>();
  passages.forEach(({ artifactId }, i) => {
    const file = files.get(artifactId) ?? vocabulary.none();
    const whole = wholes[i] ?? vocabulary.none();
    const raised = file.map((strength, at) =>
      Math.max(strength, (whole[at] ?? 0) * REPLY.elsewhere),
    );
    files.set(artifactId, raised);
  });
  const candidates = passages.flatMap((passage, i): Candidate[] => {
    const terse = terseness(passage.text);
    const file = files.get(passage.artifactId) ?? vocabulary.none();
    const around = file.map((strength, at) => Math.max(strength, wholes[i]?.[at] ?? 0));
    return passage.sentences
      .flatMap((sentence) => linesOf(passage.text, sentence))
      .map((sentence) => withoutItsNumber(question, passage.text, sentence))
      .map((sentence) => ({
        passage,
        sentence,
        reply: replyFeatures(question, vocabulary, passage, sentence, around, terse),
      }));
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
  return score * share * brevity;
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
  if (type !== 'quantity' || !OWN_NUMBER.test(line)) return sentence;
  if (/\p{N}/u.test(line.replace(OWN_NUMBER, ''))) return sentence;
  return { ...sentence, features: { ...sentence.features, type: 0 } };
}
