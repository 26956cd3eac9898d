import { estimateTokens, fence, type EvidenceItem } from './fences.ts';

/** Share of the tokens for parts of files, and for one whole file, table or section. */
const PARTS_SHARE = 0.5;
const WHOLE_SHARE = 0.5;

export const covers = (one: EvidenceItem, other: EvidenceItem): boolean =>
  one.figure === undefined &&
  other.figure === undefined &&
  one.artifactId === other.artifactId &&
  one.start <= other.start &&
  other.end <= one.end;

const tokensOf = (...items: readonly EvidenceItem[]): number =>
  items.reduce((sum, item) => sum + estimateTokens(fence(item, 1)), 0);

/**
 * Chooses the evidence that a model is shown, best first. Half of the tokens go to the best parts of
 * many files, so that a small budget is not spent on one file. The rest goes to the whole tables,
 * sections and short files that the best of them belong to.
 */
export function chooseEvidence(evidence: readonly EvidenceItem[], tokens: number): EvidenceItem[] {
  const parts: EvidenceItem[] = [];
  for (const item of evidence) {
    if (parts.length > 0 && tokensOf(...parts, item) > tokens * PARTS_SHARE) break;
    parts.push(item);
  }
  const chosen = [...parts];
  let left = tokens - tokensOf(...parts);
  for (const item of parts) {
    const { whole } = item;
    const at = chosen.indexOf(item);
    if (whole === undefined || at === -1) continue;
    const inside = chosen.filter((other) => covers(whole, other));
    const cost = tokensOf(whole);
    const more = cost - tokensOf(...inside);
    if (cost > tokens * WHOLE_SHARE || more > left) continue;
    left -= more;
    chosen[at] = whole;
    for (const other of inside) if (other !== item) chosen.splice(chosen.indexOf(other), 1);
  }
  const rest = evidence.slice(parts.length);
  return [...chosen, ...rest.filter((item) => !chosen.some((other) => covers(other, item)))];
}
