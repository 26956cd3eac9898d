/** What a text is: some models read a prompt before it, by its kind. */
export type EmbeddingKind = 'query' | 'passage';

/** What a model makes: vectors of texts, or scores of passages for a question. */
export type ModelTask = 'embed' | 'rerank';

/** One input of a model: a text to embed, or a passage to score for a question. */
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
