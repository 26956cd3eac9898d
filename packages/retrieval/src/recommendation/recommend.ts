import { SECRET } from '../text/secrets.ts';
import { analyzeQuestion, type Question } from '../question/question.ts';
import { rankPassages, RELEVANCE_THRESHOLD } from '../ranking/rank.ts';
import type { Section } from '../ranking/sections.ts';
import type { Citation, Passage } from '../types.ts';
import { draftsOfPassages, type QuestionDraft, type Recommendation } from './drafts.ts';

export type QuestionTraits = Pick<QuestionDraft, 'subject' | 'artifactId'>;

export type Preference = (question: QuestionTraits) => number;

interface ChooseOptions {
  limit: number;
  ask: (question: string) => Promise<readonly Section[]>;
  prefer?: Preference | undefined;
}

const MIN_OVERLAP = 0.75;
/** Maximum questions asked in total, of the preferred ones, and at a time. */
const LIMITS = { most: 36, preferred: 12, atOnce: 3 } as const;
/** Bounds that keep follow-ups quick. */
const FOLLOW_UPS = { passages: 6, checks: 4, score: 0.35 } as const;

type Place = Pick<Citation, 'artifactId' | 'start' | 'end'>;

const termsOf = ({ terms }: Question): ReadonlySet<string> =>
  new Set(terms.flatMap(({ variants }) => variants.slice(0, 1)));

const overlaps = (draft: QuestionDraft, { artifactId, start, end }: Place): boolean =>
  artifactId === draft.artifactId && start < draft.source.end && draft.source.start < end;

const answersDraft = (draft: QuestionDraft, [best]: readonly Section[]): boolean =>
  best !== undefined && best.relevance >= RELEVANCE_THRESHOLD && overlaps(draft, best);

/** Accepts up to `limit` questions, up to a third of one kind or opening, but none that is similar to
 * another or to an earlier one, or has the same source.
 */
function createChoice(limit: number, earlier: readonly ReadonlySet<string>[] = []) {
  const accepted: QuestionDraft[] = [];
  const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
    a.intersection(b).size >= MIN_OVERLAP * Math.min(a.size, b.size);
  const opening = ({ question, subject }: QuestionDraft): string =>
    /^\S+ \S+ /u.exec(question.toLowerCase())?.[0] ?? subject;
  const isRare = (key: (draft: QuestionDraft) => string, draft: QuestionDraft): boolean =>
    accepted.filter((other) => key(other) === key(draft)).length <
    Math.max(1, Math.floor(limit / 3));
  return {
    add: (draft: QuestionDraft) => accepted.push(draft),
    result: () => accepted.map(({ question, artifactId }) => ({ question, artifactId })),
    fits: (draft: QuestionDraft): boolean =>
      accepted.length < limit &&
      (draft.subject === 'written' || isRare(({ subject }) => subject, draft)) &&
      isRare(opening, draft) &&
      ![...earlier, ...accepted.map(({ terms }) => terms)].some((terms) =>
        same(terms, draft.terms),
      ) &&
      !accepted.some(
        ({ artifactId: id, source }) =>
          id === draft.artifactId && source.start === draft.source.start,
      ),
  };
}

/** Questions that a model wrote for passages, without those that ask for secrets. */
export const writtenDrafts = (
  written: readonly { question: string; passage: Place }[],
  languages: readonly string[],
): QuestionDraft[] =>
  written
    .filter(({ question }) => !SECRET.test(question))
    .map(({ question, passage: { artifactId, start, end } }) => ({
      question,
      artifactId,
      subject: 'written',
      source: { start, end },
      terms: termsOf(analyzeQuestion(question, languages)),
    }));

/** Up to `limit` drafts that find the place they were made from, from many files. */
export async function chooseQuestions(
  drafts: readonly QuestionDraft[],
  { limit, ask, prefer }: ChooseOptions,
): Promise<Recommendation[]> {
  const choice = createChoice(limit);
  const known = new Set<QuestionDraft>();
  const askInTurn = async (inTurn: readonly QuestionDraft[], max: number): Promise<void> => {
    const remaining = inTurn.values();
    for (let attempts = 0; attempts < max; attempts += LIMITS.atOnce) {
      const batch: QuestionDraft[] = [];
      for (const draft of remaining) {
        if (!known.has(draft) && choice.fits(draft)) batch.push(draft);
        if (batch.length === LIMITS.atOnce) break;
      }
      if (batch.length === 0) return;
      const answers = await Promise.all(batch.map(({ question }) => ask(question)));
      for (const [index, draft] of batch.entries()) {
        known.add(draft);
        if (answersDraft(draft, answers[index] ?? []) && choice.fits(draft)) choice.add(draft);
      }
    }
  };
  if (prefer) {
    const preferred = drafts.filter((draft) => prefer(draft) > 0);
    await askInTurn(
      preferred.sort((a, b) => prefer(b) - prefer(a)),
      LIMITS.preferred,
    );
  }
  await askInTurn(drafts, LIMITS.most);
  return choice.result();
}

/** Up to `limit` questions that the found passages answer and the answer did not. */
export function recommendQuestions(
  question: Question,
  ranked: readonly Passage[],
  cited: readonly Place[],
  limit = 3,
): Recommendation[] {
  const minScore = FOLLOW_UPS.score * (ranked[0]?.score ?? 0);
  const sources = ranked
    .filter(({ text, score }) => text !== '' && score >= minScore)
    .slice(0, FOLLOW_UPS.passages);
  // The scores belong to another question, so all count the same.
  const unscored = sources.map((passage) => ({ ...passage, score: 1 }));
  const choice = createChoice(limit, [termsOf(question)]);
  const drafts = draftsOfPassages(sources)
    .values()
    .filter((draft) => !cited.some((span) => overlaps(draft, span)) && choice.fits(draft));
  for (const draft of drafts.take(FOLLOW_UPS.checks)) {
    const draftQuestion = analyzeQuestion(draft.question, question.languages);
    const [best] = rankPassages(draftQuestion, unscored);
    if (best !== undefined && overlaps(draft, best)) choice.add(draft);
  }
  return choice.result();
}
