import type { Citation, FoundSection, RelatedFile } from '@engram/contract';

export interface SearchRequest {
  text: string;
  location?: { latitude: number; longitude: number } | null | undefined;
  device?: string | null | undefined;
  keywords: string[];
  /** Only these files; none mean all files. */
  artifactIds?: string[] | undefined;
  /** Whether the answer comes with its sound. */
  audio?: boolean | undefined;
  explain: boolean;
  after?: string | undefined;
}

export interface SearchEvents {
  onSources: (sources: {
    history_id: string;
    citations: Citation[];
    found: FoundSection[];
    similar_vectors: RelatedFile[];
  }) => void;
  onStep: (step: { text: string }) => void;
  onDelta: (delta: { text: string }) => void;
}
