import { composeAnswer } from '../answer/answer.ts';
import { analyzeQuestion } from '../question/question.ts';
import type { Question } from '../question/question.ts';
import { plainText, rankPassages } from '../ranking/rank.ts';
import { contentOf, draftQuestions } from './drafts.ts';
import type { QuestionDraft, Recommendation } from './drafts.ts';
import { preferredOf } from './preference.ts';
import type { Preference } from './preference.ts';
import type { Answer, Passage } from '../types.ts';

/** Share of the terms of one of two questions that makes them the same in meaning. */
const ALIKE = 0.75;

/** Whether an answer is given by the sentences that its question was made of. */
function answersDraft(draft: QuestionDraft, answer: Answer): boolean {
  const within = (source: { start: number; end: number }, citation: Answer['citations'][number]) =>
    citation.artifactId === draft.artifactId &&
    citation.start < source.end &&
    source.start < citation.end;
  const [first] = answer.citations;
  return (
    answer.grounded &&
    first !== undefined &&
    draft.sources.some((source) => within(source, first)) &&
    draft.sources.every((source) => answer.citations.some((citation) => within(source, citation)))
  );
}

/** The first two words: two patterns that begin alike read as one. */
const openingOf = ({ question, template }: QuestionDraft): string =>
  /^(\S+ \S+) /u.exec(question.toLowerCase())?.[1] ?? template;

/** Keeps questions as they come, while they are not too much alike. */
interface QuestionChoice {
  /** Whether the question would add something to those that were kept. */
  adds(draft: QuestionDraft): boolean;
  keep(draft: QuestionDraft): void;
  /** The questions that were kept, and the files that answer them. */
  readonly kept: readonly Recommendation[];
}

/**
 * Chooses at most `limit` questions: of each pattern a third at most, no two of one sentence or with
 * the same meaning, and none of those that were asked already.
 */
function createChoice(limit: number, asked: readonly Question[] = []): QuestionChoice {
  const mostAlike = Math.max(1, Math.floor(limit / 3));
  const kept: QuestionDraft[] = [];
  const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
    a.intersection(b).size >= ALIKE * Math.min(a.size, b.size);
  const known = asked.map(({ text, language }) => ({
    plain: plainText(text),
    terms: contentOf(text, language),
  }));
  return {
    kept,
    adds: (draft) =>
      kept.length < limit &&
      kept.filter((other) => other.template === draft.template).length < mostAlike &&
      kept.filter((other) => openingOf(other) === openingOf(draft)).length < mostAlike &&
      !kept.some(
        (other) =>
          same(other.terms, draft.terms) ||
          (other.artifactId === draft.artifactId &&
            other.sources[0]?.start === draft.sources[0]?.start),
      ) &&
      !known.some(
        ({ plain, terms }) => plain === plainText(draft.question) || same(terms, draft.terms),
      ),
    keep: (draft) => void kept.push(draft),
  };
}

/** Questions that are asked at most until enough are found, and how many at a time. */
const MOST_ASKED = 24;
const ASKED_AT_ONCE = 3;
/** Of those that are preferred; what nobody prefers is asked as often as if there were none. */
const MOST_PREFERRED = 12;

export interface CurateOptions {
  limit: number;
  /** Answers a question from all of the person's files. */
  ask: (question: string) => Promise<Answer>;
  /** Brings the questions forward that a person would rather have. */
  prefer?: Preference | undefined;
}

/**
 * Up to `limit` questions that a person's files answer, from as many of them as possible: each was
 * asked, and its answer begins with what the question was made of.
 *
 * @param passages of the files that questions are made from, the files in the order of preference
 */
export const curateQuestions = (
  passages: readonly Passage[],
  options: CurateOptions,
): Promise<Recommendation[]> => chooseQuestions(draftQuestions(passages), options);

/** The same of questions that were drafted before, which takes most of the time. */
export async function chooseQuestions(
  drafts: readonly QuestionDraft[],
  { limit, ask, prefer }: CurateOptions,
): Promise<Recommendation[]> {
  const choice = createChoice(limit);
  const known = new Set<QuestionDraft>();
  const askInTurn = async (inTurn: readonly QuestionDraft[], most: number): Promise<void> => {
    const left = inTurn.values();
    for (let asked = 0; asked < most && choice.kept.length < limit;) {
      const batch: QuestionDraft[] = [];
      for (const draft of left) {
        if (!known.has(draft) && choice.adds(draft)) batch.push(draft);
        if (batch.length === ASKED_AT_ONCE) break;
      }
      if (batch.length === 0) break;
      asked += batch.length;
      const answers = await Promise.all(batch.map(({ question }) => ask(question)));
      for (const [at, draft] of batch.entries()) {
        known.add(draft);
        const answer = answers[at];
        if (answer && answersDraft(draft, answer) && choice.adds(draft)) choice.keep(draft);
      }
    }
  };
  if (prefer) await askInTurn(preferredOf(drafts, prefer), MOST_PREFERRED);
  await askInTurn(drafts, MOST_ASKED);
  return recommendationsOf(choice);
}

const recommendationsOf = ({ kept }: QuestionChoice): Recommendation[] =>
  kept.map(({ question, artifactId }) => ({ question, artifactId }));

/** Passages that follow-ups are made from and checked on: enough for three, quick enough to wait for. */
const SOURCES = 6;
const MAX_CHECKS = 4;
/** Share of the best passage's score below which a passage is about something else. */
const ON_SUBJECT = 0.35;

/**
 * Up to `limit` questions that the passages found along with an answer would answer, too, and the
 * answer did not: kept when asking them of these passages finds what they were made of.
 */
export function recommendQuestions(
  question: Question,
  ranked: readonly Passage[],
  answer: Answer,
  limit = 3,
): Recommendation[] {
  const least = ON_SUBJECT * (ranked[0]?.score ?? 0);
  const sources = ranked
    .filter(({ text, score }) => text !== '' && score >= least)
    .slice(0, SOURCES);
  const choice = createChoice(limit, [question]);
  let checks = 0;
  for (const draft of draftQuestions(sources, question.languages)) {
    if (choice.kept.length >= limit || checks >= MAX_CHECKS) break;
    if (answersDraft(draft, { ...answer, grounded: true }) || !choice.adds(draft)) continue;
    checks += 1;
    if (answersDraft(draft, askOf(draft, sources, question.languages))) choice.keep(draft);
  }
  return recommendationsOf(choice);
}

function askOf(
  { question: text }: QuestionDraft,
  passages: readonly Passage[],
  languages: readonly string[],
): Answer {
  // The passages' scores belong to another question: here they count alike.
  const alike = passages.map((passage) => ({ ...passage, score: 1 }));
  const question = analyzeQuestion(text, languages);
  return composeAnswer(question, rankPassages(question, alike), { librarySize: 1 });
}
