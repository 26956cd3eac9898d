import { dynamicTool } from 'ai';
import type { z } from 'zod';
import { estimateTokens, type EvidenceBudget, type EvidenceItem } from './evidence-budget.ts';

export interface Found {
  /** A summary. It may contain names of files, so it is data to the model. */
  note: string;
  evidence: readonly EvidenceItem[];
}
export interface ModelTool {
  name: string;
  description: string;
  input: z.ZodType;
  /** Runs a call with checked input. @throws the signal's reason; other errors are answers to the model */
  run: (input: unknown, signal: AbortSignal) => Promise<Found>;
}

export const modelTool = <Schema extends z.ZodType>(
  each: Pick<ModelTool, 'name' | 'description'> & {
    input: Schema;
    run: (input: z.output<Schema>, signal: AbortSignal) => Promise<Found>;
  },
): ModelTool => ({ ...each, run: (input, signal) => each.run(input as z.output<Schema>, signal) });

const MAX_LOOKUPS = 12;
const RESULT_TOKENS = 2500;
/** With fewer tokens left nothing useful can be shown. */
const MIN_TOKENS = 120;

const ENOUGH = 'Nothing more can be looked up for this question. Answer from what you have.';
const FAILED = 'This look-up failed. Answer from what you have, or look otherwise.';
const NOTHING = 'Nothing was found.';

export const toolTokens = (tools: readonly ModelTool[]): number =>
  tools.reduce(
    (sum, { name, description, input }) =>
      sum + 20 + estimateTokens(name + description + JSON.stringify(input.toJSONSchema())),
    0,
  );

/** Runs the tool calls of a model one by one. `onShown` is called after evidence was added. */
export function createToolSet(
  tools: readonly ModelTool[],
  budget: EvidenceBudget,
  signal: AbortSignal,
  onShown: () => Promise<void>,
) {
  let lookups = 0;
  let last: Promise<unknown> = Promise.resolve();
  const spent = (): boolean => lookups >= MAX_LOOKUPS || budget.left() < MIN_TOKENS;

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
          // Results are numbered in the order of the calls.
          const result = last.then(() => lookUp(each, input));
          last = result.catch(() => undefined);
          return result;
        },
      }),
    ]),
  );
  return { set, spent };
}

export type ToolSet = ReturnType<typeof createToolSet>;
