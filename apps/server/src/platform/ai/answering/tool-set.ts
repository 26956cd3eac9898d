import { dynamicTool } from 'ai';
import type { z } from 'zod';
import { estimateTokens, type EvidenceBudget, type EvidenceItem } from './evidence-budget.ts';

export interface ToolResult {
  /** A summary for the model. It may contain file names, so it is treated as data. */
  note: string;
  evidence: readonly EvidenceItem[];
}
export interface ModelTool {
  name: string;
  description: string;
  input: z.ZodType;
  /** Runs a call with checked input. @throws the signal's reason. Other errors are reported to the model. */
  run: (input: unknown, signal: AbortSignal) => Promise<ToolResult>;
}

export const modelTool = <Schema extends z.ZodType>(
  tool: Pick<ModelTool, 'name' | 'description'> & {
    input: Schema;
    run: (input: z.output<Schema>, signal: AbortSignal) => Promise<ToolResult>;
  },
): ModelTool => ({ ...tool, run: (input, signal) => tool.run(input as z.output<Schema>, signal) });

const MAX_CALLS = 12;
const RESULT_TOKENS = 2500;
/** With fewer tokens left, nothing useful can be shown. */
const MIN_TOKENS = 120;

const LIMIT_REACHED =
  'No more tool calls are possible for this question. Answer from the evidence you have.';
const FAILED = 'This tool call failed. Answer from the evidence you have, or try another call.';
const NOTHING = 'Nothing was found.';

export const toolTokens = (tools: readonly ModelTool[]): number =>
  tools.reduce(
    (sum, { name, description, input }) =>
      sum + 20 + estimateTokens(name + description + JSON.stringify(input.toJSONSchema())),
    0,
  );

/** Runs the tool calls of a model one by one. Calls `onShown` after evidence was added. */
export function createToolSet(
  tools: readonly ModelTool[],
  budget: EvidenceBudget,
  signal: AbortSignal,
  onShown: () => Promise<void>,
) {
  let calls = 0;
  let last: Promise<unknown> = Promise.resolve();
  const spent = (): boolean => calls >= MAX_CALLS || budget.left() < MIN_TOKENS;

  async function runTool(tool: ModelTool, input: unknown): Promise<string> {
    signal.throwIfAborted();
    if (spent()) return LIMIT_REACHED;
    calls += 1;
    let result: ToolResult;
    try {
      result = await tool.run(input, signal);
    } catch {
      signal.throwIfAborted();
      return FAILED;
    }
    const parts = [budget.addNote(result.note), budget.add(result.evidence, RESULT_TOKENS)];
    await onShown();
    return parts.filter(Boolean).join('\n\n') || NOTHING;
  }

  const set = Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      dynamicTool({
        description: tool.description,
        inputSchema: tool.input,
        execute: (input: unknown): Promise<string> => {
          // Results are numbered in the order of the calls.
          const result = last.then(() => runTool(tool, input));
          last = result.catch(() => undefined);
          return result;
        },
      }),
    ]),
  );
  return { set, spent };
}

export type ToolSet = ReturnType<typeof createToolSet>;
