import { availableParallelism } from 'node:os';
import { getLlama, LlamaChatSession } from 'node-llama-cpp';
import { childSettings, serveTasks } from '../../processes/child-serve.ts';
import { drop } from '../../processes/drop.ts';

export type LlamaRequest =
  | { load: string }
  | {
      instructions: string;
      prompt: string;
      /** Citations [1] to [N] are allowed by the grammar; null for no grammar. */
      citations: number | null;
      outputTokens: number;
      temperature: number;
    };

export type LlamaPart = { text: string };

export interface LoadedLlama {
  contextTokens: number;
  readsPerSecond: number;
  gpu: boolean;
}

export type LlamaResult = LoadedLlama | { cut: boolean };

/** Lower priority than the server, higher than extraction. */
const NICENESS = 5;
/** The tokens of prompt and output together. Small models get worse with longer prompts. */
const CONTEXT_TOKENS = 8192;
/** The prompt tokens in a batch. Requests can be stopped between batches. */
const BATCH_TOKENS = 64;

/** The library's threads spin while they wait, so one core is left free. */
const threads = Math.max(1, availableParallelism() - 1);

/** A GBNF grammar that allows only the numbers of passages in square brackets. */
const citationGrammar = (count: number): string => {
  const numbers = Array.from({ length: count }, (_, index) => `"${index + 1}"`).join(' | ');
  return count === 0
    ? String.raw`root ::= [^\[\]]+`
    : String.raw`root ::= ([^\[\]] | "[" n "]")+` + `\nn ::= ${numbers}`;
};

await serveTasks<LlamaRequest, LlamaPart, LlamaResult>({
  niceness: NICENESS,
  threads: true,
  async prepare() {
    const loading = load(childSettings() as string);
    loading.catch(() => undefined);
    return async (request, send, signal) => {
      const { generate, evaluate } = await loading;
      return 'load' in request ? evaluate(request.load) : generate(request, send, signal);
    };
  },
});

async function load(modelPath: string) {
  // The library tests its binary in a child process, so rights are dropped only afterwards.
  const llama = await getLlama({
    gpu: 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    maxThreads: threads,
  });
  drop('child');
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({
    contextSize: { min: 2048, max: CONTEXT_TOKENS },
    batchSize: BATCH_TOKENS,
    threads,
  });
  const sequence = context.getSequence();
  const sessionFor = (systemPrompt: string) =>
    new LlamaChatSession({ contextSequence: sequence, systemPrompt, autoDisposeSequence: false });

  /** Evaluates the instructions, with which every prompt begins, and measures the speed. */
  async function evaluate(instructions: string): Promise<LoadedLlama> {
    const session = sessionFor(instructions);
    const before = performance.now();
    await session.preloadPrompt('');
    const seconds = (performance.now() - before) / 1000;
    session.dispose();
    return {
      contextTokens: context.contextSize,
      readsPerSecond: sequence.nextTokenIndex / seconds,
      gpu: llama.gpu !== false,
    };
  }

  async function generate(
    request: Exclude<LlamaRequest, { load: string }>,
    send: (part: LlamaPart) => Promise<void>,
    signal: AbortSignal,
  ): Promise<LlamaResult> {
    const { instructions, prompt, citations, outputTokens, temperature } = request;
    const length = model.tokenize(instructions + prompt).length;
    if (length + outputTokens > context.contextSize) {
      throw new Error(`the prompt of ${length} tokens is too long for its context.`);
    }
    const session = sessionFor(instructions);
    try {
      const grammar =
        citations === null
          ? undefined
          : await llama.createGrammar({ grammar: citationGrammar(citations) });
      const { stopReason } = await session.promptWithMeta(prompt, {
        signal,
        temperature,
        maxTokens: outputTokens,
        budgets: { thoughtTokens: 0 },
        ...(grammar && { grammar }),
        onTextChunk: (text) => void send({ text }),
      });
      return { cut: stopReason === 'maxTokens' };
    } finally {
      session.dispose();
    }
  }

  return { evaluate, generate };
}
