import { dynamicTool } from 'ai';
import type { z } from 'zod';
import type { EvidenceBudget } from './evidence-budget.ts';
import { estimateTokens, type EvidenceItem } from './fences.ts';

/** What a look-up of a model found. */
export interface Found {
  /** What there is to say of it; may hold names of files, so it is data to the model. */
  note: string;
  evidence: readonly EvidenceItem[];
}

/** A look-up that a model may ask for. */
export interface ModelTool {
  name: string;
  /** For the model. */
  description: string;
  input: z.ZodType;
  /**
   * Looks up what a checked input asks for.
   * @throws the signal's reason; whatever else goes wrong is told to the model as a failure
   */
  run: (input: unknown, signal: AbortSignal) => Promise<Found>;
}

/** A look-up whose input is what its schema says. */
export const modelTool = <Schema extends z.ZodType>(
  each: Pick<ModelTool, 'name' | 'description'> & {
    input: Schema;
    run: (input: z.output<Schema>, signal: AbortSignal) => Promise<Found>;
  },
): ModelTool => ({ ...each, run: (input, signal) => each.run(input as z.output<Schema>, signal) });

/** Look-ups for one question at most, however many a model asks for in one step. */
const MOST_LOOKUPS = 12;
/** Tokens of one look-up's result at most. */
const RESULT_TOKENS = 2500;
/** With fewer tokens left nothing worth reading can be shown. */
const LEAST_TOKENS = 120;

const ENOUGH = 'Nothing more can be looked up for this question. Answer from what you have.';
const FAILED = 'This look-up failed. Answer from what you have, or look otherwise.';
const NOTHING = 'Nothing was found.';

/** What the descriptions of the tools take of a prompt, in tokens. */
export const toolTokens = (tools: readonly ModelTool[]): number =>
  tools.reduce(
    (sum, { name, description, input }) =>
      sum + 20 + estimateTokens(name + description + JSON.stringify(input.toJSONSchema())),
    0,
  );

export interface ToolSetOptions {
  tools: readonly ModelTool[];
  budget: EvidenceBudget;
  signal: AbortSignal;
  /** Called when evidence was added to the budget. */
  onShown: () => Promise<void>;
}

/** The look-ups as the model's library takes them: one after the other, within their bounds. */
export function createToolSet({ tools, budget, signal, onShown }: ToolSetOptions) {
  let lookups = 0;
  let line: Promise<unknown> = Promise.resolve();
  const spent = (): boolean => lookups >= MOST_LOOKUPS || budget.left() < LEAST_TOKENS;

  async function lookUp(asked: ModelTool, input: unknown): Promise<string> {
    signal.throwIfAborted();
    if (spent()) return ENOUGH;
    lookups += 1;
    let found: Found;
    try {
      found = await asked.run(input, signal);
    } catch {
      signal.throwIfAborted();
      return FAILED;
    }
    const said = [budget.addNote(found.note), budget.add(found.evidence, RESULT_TOKENS)];
    await onShown();
    return said.filter(Boolean).join('\n\n') || NOTHING;
  }

  const set = Object.fromEntries(
    tools.map((each) => [
      each.name,
      dynamicTool({
        description: each.description,
        inputSchema: each.input,
        execute: (input: unknown): Promise<string> => {
          // In turn, so that their results are numbered in the order in which they were asked for.
          const turn = line.then(() => lookUp(each, input));
          line = turn.catch(() => undefined);
          return turn;
        },
      }),
    ]),
  );
  return { set, spent };
}

export type ToolSet = ReturnType<typeof createToolSet>;
