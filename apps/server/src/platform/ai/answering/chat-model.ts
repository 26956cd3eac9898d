import type { ModelMessage } from 'ai';
import type { LocalModel } from '../local/local-model.ts';
import type { ToolSet } from './tool-set.ts';

/**
 * Generated text ('' during reasoning), or a state: the model called tools and continues with their
 * results, its output was cut off, or it handles another request first.
 */
export type ModelPart = { text: string } | 'tools' | 'cut' | 'waiting';

/** The words for a task in error messages. */
export interface Task {
  verb: string;
  result: string;
}

export interface ModelRequest {
  prompt: {
    instructions: string;
    prompt: string | ModelMessage[];
    /** The number of passages that may be cited; unset without citations. */
    passages?: number;
  };
  tools?: ToolSet | undefined;
  task: Task;
  /** The maximum output with reasoning. Default: the maximum of an answer. */
  outputTokens?: number | undefined;
  /** The user, because a model that handles one request at a time queues users fairly. */
  group: string;
  signal: AbortSignal;
}

export interface ChatModel {
  name: string;
  /** The value of ENGRAM_LLM that selects it. */
  setting: string;
  /** The model and its server for the status, without credentials. */
  detail: string;
  supportsTools: boolean;
  canRewrite: boolean;
  timeouts: { firstTokenMs: number; wholeMs: number };
  /** Set for a model that Engram runs and may have to load first. */
  local?: Pick<LocalModel, 'isLoaded' | 'measurement'>;
  /** The maximum estimated tokens of a prompt with all tool results, and of the evidence in it. */
  promptBudget(
    instructions: string,
    signal: AbortSignal,
  ): Promise<{ prompt: number; evidence: number }>;
  /** Makes one attempt. Fails with the provider's own errors. */
  generate(request: ModelRequest): AsyncIterable<ModelPart>;
}

export const LOCAL_TIMEOUTS = { firstTokenMs: 120_000, wholeMs: 300_000 };
