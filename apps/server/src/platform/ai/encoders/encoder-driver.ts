/** Some models expect a prompt before a text, which depends on its kind. */
export type EmbeddingKind = 'query' | 'passage';

export type ModelTask = 'embed' | 'rerank';

export type ModelInput =
  { text: string; kind: EmbeddingKind } | { question: string; passage: string };

export interface EncoderDriver {
  /** Changes with everything that affects the output. */
  identity: string;
  /** The length of each output: the vector of a text, or an array with one score. */
  dimensions: number;
  limits: { inputs: number; characters: number };
  readonly usable: boolean;
  run(inputs: readonly ModelInput[], signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
