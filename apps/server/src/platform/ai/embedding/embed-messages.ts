import type { EmbeddingKind } from './embed-driver.ts';

/** One text for the process that runs the model. */
export interface EmbedTask {
  type: 'embed';
  id: number;
  text: string;
  kind: EmbeddingKind;
}

/** Nobody waits for a text's vector any more. */
export interface EmbedDrop {
  type: 'drop';
  id: number;
}

/** What that process says; to each text once, also to one that was dropped. */
export type EmbedReply =
  | { type: 'ready'; digest: string; dimensions: number }
  | { type: 'failed'; message: string; expected: boolean }
  | { type: 'done'; id: number; vector: Float32Array }
  | { type: 'error'; id: number; message: string };
