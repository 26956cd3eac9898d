import type { ModelMessage } from 'ai';
import type { LocalModel } from '../local/local-model.ts';
import type { ToolSet } from './tool-set.ts';

/**
 * Generated text ('' during reasoning), or a state: the model has called tools and continues with their
 * results, its output reached the limit, or it answers another request first.
 */
export type ModelPart = { text: string } | 'tools' | 'cut' | 'waiting';

/** What the model does, for messages about a failure: the verb and its result. */
export interface Task {
  verb: string;
  result: string;
}

export interface ModelRequest {
  prompt: {
    instructions: string;
    prompt: string | ModelMessage[];
    /** Number of passages that may be cited; unset if none are cited. */
    passages?: number;
  };
  tools?: ToolSet | undefined;
  task: Task;
  /** Maximum output with reasoning; unset for the maximum of an answer. */
  outputTokens?: number | undefined;
  /** The asking user: a model that answers one request at a time queues users fairly. */
  group: string;
  signal: AbortSignal;
}

export interface ChatModel {
  name: string;
  /** The value of ENGRAM_LLM that selects it. */
  setting: string;
  /** What answers and where, for the status; without credentials. */
  detail: string;
  supportsTools: boolean;
  canRewrite: boolean;
  /** For the first token and for a whole answer, in milliseconds. */
  timeouts: { firstTokenMs: number; wholeMs: number };
  /** Set for a model that Engram runs, which may have to be loaded first. */
  local?: Pick<LocalModel, 'isLoaded' | 'measurement'>;
  /** Maximum of a prompt with all tool results, and of the evidence in it, in estimated tokens. */
  promptBudget(
    instructions: string,
    signal: AbortSignal,
  ): Promise<{ prompt: number; evidence: number }>;
  /** One attempt. It fails with errors of the provider's own. */
  generate(request: ModelRequest): AsyncIterable<ModelPart>;
}

export const LOCAL_TIMEOUTS = { firstTokenMs: 120_000, wholeMs: 300_000 };
