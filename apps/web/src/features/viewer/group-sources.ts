import type { Citation } from '@engram/contract';

/** A quote, with every number that it is cited by. */
export interface SourcePlace {
  citation: Citation;
  numbers: number[];
}

/** What is cited of one file. */
export interface SourceFile {
  artifactId: string;
  fileName: string;
  path: string | null;
  places: SourcePlace[];
}

const isSame = (one: Citation, other: Citation): boolean =>
  one.quote === other.quote && one.start === other.start && one.end === other.end;

/** Sources by file, in the order in which each file is first cited; each quote once. */
export function groupSources(citations: readonly Citation[]): SourceFile[] {
  const files = new Map<string, SourceFile>();
  for (const citation of citations) {
    const { artifactId, fileName, path } = citation;
    const file = files.get(artifactId) ?? { artifactId, fileName, path, places: [] };
    files.set(artifactId, file);
    const same = file.places.find((place) => isSame(place.citation, citation));
    if (same) same.numbers.push(citation.n);
    else file.places.push({ citation, numbers: [citation.n] });
  }
  return [...files.values()];
}
