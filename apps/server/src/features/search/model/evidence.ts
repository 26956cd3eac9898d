import type { RankedPassage, Section } from '@engram/retrieval';
import type { EvidenceItem } from '../../../platform/ai/answering/answer-model.ts';
import type { EvidenceFiles } from './evidence-files.ts';
import { passageAt, wholeAround } from './document-parts.ts';

/** Maximum sections and passages for a model before it searches again. */
const MAX_ITEMS = 40;

/** What was computed over rows, as evidence. */
export const figureOf = (
  text: string,
  rows: NonNullable<EvidenceItem['figure']>,
): EvidenceItem => ({
  artifactId: rows[0]?.artifactId ?? '',
  fileName: '',
  ordinal: 0,
  start: 0,
  end: text.length,
  text,
  location: {},
  places: [],
  headings: [],
  score: 0,
  figure: rows,
});

/**
 * The evidence that a model gets first, best first: the found sections, then the passages outside them,
 * each with the short file, table or section of a file that it belongs to.
 */
export async function evidenceOf(
  evidenceFiles: EvidenceFiles,
  sections: readonly Section[],
  ranked: readonly RankedPassage[],
): Promise<EvidenceItem[]> {
  const documents = await evidenceFiles.read(sections.map(({ artifactId }) => artifactId));
  const found = sections.flatMap(({ artifactId, start, end }) => {
    const document = documents.get(artifactId);
    return document === undefined ? [] : [passageAt(document, start, end)];
  });
  const others = ranked.filter(
    (passage) =>
      !found.some(
        ({ artifactId, start, end }) =>
          artifactId === passage.artifactId && start <= passage.start && passage.end <= end,
      ),
  );
  const items = await evidenceFiles.toEvidence([...found, ...others].slice(0, MAX_ITEMS));
  return items.map((item) => {
    const whole = wholeAround(item, documents.get(item.artifactId));
    return whole === item ? item : { ...item, whole: { ...item, ...whole } };
  });
}
