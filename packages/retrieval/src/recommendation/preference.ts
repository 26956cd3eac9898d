import { questionType } from '../question/question.ts';
import type { QuestionType } from '../question/question.ts';
import { isBroad } from './drafts.ts';
import type { QuestionDraft } from './drafts.ts';

/** What a person may prefer a question for. */
export interface QuestionTraits {
  /** What kind of thing answers it. */
  type: QuestionType;
  /** Whether it asks for all that there is, rather than for one thing. */
  broad: boolean;
  /** The file that answers it. */
  artifactId: string;
}

/** How much a person would rather have this question than any other; 0 means not at all. */
export type Preference = (question: QuestionTraits) => number;

/** Kinds of values that the wording of a question does not tell. */
const VALUES: ReadonlyMap<string, QuestionType> = new Map([
  ['field-date', 'time'],
  ['field-money', 'quantity'],
  ['field-name', 'person'],
]);

const traitsOf = (draft: QuestionDraft): QuestionTraits => ({
  type: VALUES.get(draft.template) ?? questionType(draft.question),
  broad: isBroad(draft),
  artifactId: draft.artifactId,
});

/** The drafts that are preferred, the most preferred first; those that are alike stay in their order. */
export const preferredOf = (
  drafts: readonly QuestionDraft[],
  prefer: Preference,
): QuestionDraft[] =>
  drafts
    .map((draft) => ({ draft, by: prefer(traitsOf(draft)) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
    .map(({ draft }) => draft);
