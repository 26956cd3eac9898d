import type { EmbeddingKind } from './embedder.ts';

/** One text for the process that runs the model. */
export interface EmbedTask {
  id: number;
  text: string;
  kind: EmbeddingKind;
}

/** What that process says. */
export type EmbedReply =
  | { type: 'ready'; digest: string; dimensions: number }
  | { type: 'failed'; message: string; expected: boolean }
  | { type: 'done'; id: number; vector: Float32Array }
  | { type: 'error'; id: number; message: string };
