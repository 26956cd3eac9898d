import { account } from './account.tsx';
import { billing } from './billing.tsx';
import { cancellations } from './cancellations.tsx';
import { general } from './general.tsx';
import { queries } from './queries.tsx';
import type { Topic } from './question.ts';
import { storage } from './storage.tsx';

/** The tabs of the page, the one that is open at first before the others. */
export const topics: readonly [Topic, ...Topic[]] = [
  general,
  account,
  billing,
  storage,
  queries,
  cancellations,
];

/** What a hash leads to: a tab, or a question in one. */
export function placeOf(hash: string): { topic: Topic; question: string | null } {
  const id = hash.replace(/^#/u, '');
  const byId = topics.find((topic) => topic.id === id);
  if (byId) return { topic: byId, question: null };
  const topic = topics.find(({ questions }) => questions.some((one) => one.id === id));
  return { topic: topic ?? topics[0], question: topic ? id : null };
}
