import type { ModelMessage } from 'ai';
import type { ToolSet } from './tool-set.ts';

/**
 * What a model says, '' being a sign of life such as thinking; it has asked for something, and goes on
 * with what that brought; its answer is as long as one may be; it answers somebody else first.
 */
export type ModelPart = { text: string } | 'looks' | 'cut' | 'waiting';

/** What a model is to do, as a person hears of it where it does not: the verb, and what comes of it. */
export interface Task {
  verb: string;
  result: string;
}

export interface ModelRequest {
  prompt: {
    instructions: string;
    prompt: string | ModelMessage[];
    /** Passages that it shows, which a model may cite by their numbers; unset where none are cited. */
    passages?: number;
  };
  /** What it may look up on the way. */
  tools?: ToolSet | undefined;
  task: Task;
  /** Most tokens, with those of thinking; unset for those of an answer. */
  outputTokens?: number | undefined;
  /** Whose question it is: where a model answers one at a time, people take turns. */
  group: string;
  signal: AbortSignal;
}

/** Tokens, as estimated. */
export interface Room {
  /** Of a prompt with all that is looked up. */
  prompt: number;
  /** Of what is shown in it. */
  evidence: number;
}

/** A model that can be asked. */
export interface ChatModel {
  /** What the model is called, without its provider. */
  name: string;
  /** The setting that names it. */
  setting: string;
  /** What answers and where, for the status; without credentials. */
  detail: string;
  /** Whether it may be told of tools. */
  tools: boolean;
  /** Whether it is quick enough to put a question into other words before anything is looked for. */
  rewrites: boolean;
  /** How long its first token, and a whole answer, may take, in milliseconds. */
  patience: { firstTokenMs: number; wholeMs: number };
  /** How much it reads in a bearable time. It is made ready for that, if it is not. */
  room(instructions: string, signal: AbortSignal): Promise<Room>;
  /** Whether that takes a while now. */
  asleep?(): boolean;
  /** What was measured when it was made ready; null before. */
  measured?(): { readsPerSecond: number; gpu: boolean } | null;
  /** One try; it fails with errors of the model's own. */
  ask(request: ModelRequest): AsyncIterable<ModelPart>;
}
