/** What a text is: some models want to be told. */
export type EmbeddingKind = 'query' | 'passage';

/** One way to run a model; the core cuts, batches, checks and scales for it. */
export interface EmbeddingDriver {
  /** Tells models apart whose vectors differ. */
  identity: string;
  dimensions: number;
  /** Most texts of one call, and the UTF-16 units of a text beyond which the model reads no further. */
  limits: { texts: number; characters: number };
  /** False once it can only be opened anew. */
  readonly usable: boolean;
  embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
  close(): Promise<void>;
}
