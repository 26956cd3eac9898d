import type { Passage, Question, RankedPassage } from '@engram/retrieval';
import type { Showable } from '../../../platform/ai/answering/answer-model.ts';
import type { Papers } from './papers.ts';
import { openAt, wholeAround } from './stretches.ts';

/** Files whose best passage is shown with all that belongs to it; the others' passages are as they are. */
const MOST_WHOLE = 6;
/** Passages that a model is shown before it looks for more, in all and of one file. */
const MOST_PASSAGES = 40;
const MOST_OF_ONE = 4;
/** Files that are begun because the question has a word of their names, and where they stand. */
const MOST_NAMED = 3;
const NAMED_AT = 8;

const isIn = (inner: Passage, outer: Passage): boolean =>
  inner.artifactId === outer.artifactId && outer.start <= inner.start && inner.end <= outer.end;

/** A figure as evidence: told in words, resting on its rows. */
export const figureOf = (text: string, figure: NonNullable<Showable['figure']>): Showable => ({
  artifactId: figure.rows[0]?.artifactId ?? '',
  fileName: '',
  ordinal: 0,
  start: 0,
  end: text.length,
  text,
  location: {},
  places: [],
  headings: [],
  score: 0,
  figure,
});

/**
 * The evidence that a model is given at first, best first: the passages that were found, those of the
 * best files with the whole document, table or section around them, and the beginnings of files whose
 * names contain a word of the question, in any language.
 */
export async function contextOf(
  papers: Papers,
  question: Question,
  ranked: readonly RankedPassage[],
): Promise<Showable[]> {
  const best: Passage[] = [...ranked];
  const leading = new Set<string>();
  for (const { artifactId } of best) if (leading.size < MOST_WHOLE) leading.add(artifactId);
  const named = (await papers.named(question, MOST_NAMED)).filter(
    (id) => !best.slice(0, NAMED_AT).some(({ artifactId }) => artifactId === id),
  );
  const documents = await papers.read([...leading, ...named]);
  const begun = named.flatMap((id): Passage[] => {
    const document = documents.get(id);
    return document === undefined ? [] : [openAt(document, {}) ?? []].flat();
  });
  best.splice(NAMED_AT, 0, ...begun);
  const shown: Passage[] = [];
  for (const passage of best) {
    if (shown.length >= MOST_PASSAGES) break;
    const { artifactId } = passage;
    if (shown.filter((other) => other.artifactId === artifactId).length >= MOST_OF_ONE) continue;
    const document = leading.has(artifactId) ? documents.get(artifactId) : undefined;
    const whole = wholeAround(passage, document);
    if (!shown.some((other) => isIn(whole, other))) shown.push(whole);
  }
  // A stretch that grew beyond one that was shown before it takes its place.
  const single = shown.filter((one) => !shown.some((other) => other !== one && isIn(one, other)));
  return papers.showable(single);
}
