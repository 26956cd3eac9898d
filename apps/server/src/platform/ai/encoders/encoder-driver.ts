/** What a text is: some models read a prompt before it, by its kind. */
export type EmbeddingKind = 'query' | 'passage';

export type ModelTask = 'embed' | 'rerank';

export type ModelInput =
  { text: string; kind: EmbeddingKind } | { question: string; passage: string };

export interface EncoderDriver {
  /** Names everything that changes the output. */
  identity: string;
  /** Length of each output: the vector of a text, or an array of one score. */
  dimensions: number;
  limits: { inputs: number; characters: number };
  readonly usable: boolean;
  run(inputs: readonly ModelInput[], signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
