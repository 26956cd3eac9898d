import { availableParallelism } from 'node:os';
import { getLlama, LlamaChatSession } from 'node-llama-cpp';
import { childSettings, serveTasks } from '../../processes/child-serve.ts';
import { drop } from '../../processes/drop.ts';

/** What the process is told at its start. */
export interface LlamaSettings {
  /** Path of a model in GGUF format. */
  path: string;
  /** Most tokens of prompt and answer together. */
  contextTokens: number;
}

/** What a model is to say; `load` asks only what it is, once it is loaded. */
export type LlamaRequest =
  | { load: string }
  | {
      instructions: string;
      prompt: string;
      /** Numbers that may stand in square brackets: 1 to so many; null for any text. */
      citations: number | null;
      /** Most tokens of the answer. */
      outputTokens: number;
      temperature: number;
    };

/** Text as it is written. */
export type LlamaPart = { text: string };

export interface LoadedLlama {
  contextTokens: number;
  /** Tokens of a prompt that it reads in a second on this machine. */
  readsPerSecond: number;
  /** Whether a graphics processor does the work. */
  gpu: boolean;
}

export type LlamaResult = LoadedLlama | { cut: boolean };

/** Behind the server itself, before the reading of files. */
const NICENESS = 5;
/** Tokens that are read between two looks at whether the answer is still wanted. */
const READ_AT_ONCE = 64;

/** The library's threads wait for each other actively: a processor stays free for everything else. */
const threads = Math.max(1, availableParallelism() - 1);

/** Text in which square brackets hold numbers of what was shown, and nothing else. */
const citing = (most: number): string => {
  const numbers = Array.from({ length: most }, (_, at) => `"${at + 1}"`).join(' | ');
  return most === 0
    ? String.raw`root ::= [^\[\]]+`
    : String.raw`root ::= ([^\[\]] | "[" n "]")+` + `\nn ::= ${numbers}`;
};

await serveTasks<LlamaRequest, LlamaPart, LlamaResult>({
  niceness: NICENESS,
  threads: true,
  async prepare() {
    const settings = childSettings() as LlamaSettings;
    const loading = load(settings);
    // The first task is told why.
    loading.catch(() => undefined);
    return async (request, send, signal) => {
      const { say, describe } = await loading;
      return 'load' in request ? describe(request.load) : say(request, send, signal);
    };
  },
});

async function load({ path, contextTokens }: LlamaSettings) {
  // Its library tries its binary in a process of its own before it loads it.
  const llama = await getLlama({
    gpu: 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    maxThreads: threads,
  });
  drop('child');
  const model = await llama.loadModel({ modelPath: path });
  const context = await model.createContext({
    contextSize: { min: Math.min(2048, contextTokens), max: contextTokens },
    batchSize: READ_AT_ONCE,
    threads,
  });
  const sequence = context.getSequence();
  const sessionFor = (systemPrompt: string) =>
    new LlamaChatSession({ contextSequence: sequence, systemPrompt, autoDisposeSequence: false });

  /** Reads the instructions, which every question begins with, and measures how fast that goes. */
  async function describe(instructions: string): Promise<LoadedLlama> {
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

  async function say(
    request: Exclude<LlamaRequest, { load: string }>,
    send: (part: LlamaPart) => Promise<void>,
    signal: AbortSignal,
  ): Promise<LlamaResult> {
    const { instructions, prompt, citations, outputTokens, temperature } = request;
    const length = model.tokenize(instructions + prompt).length;
    if (length + outputTokens > context.contextSize) {
      throw new Error(`${length} tokens are more than it can read.`);
    }
    const session = sessionFor(instructions);
    try {
      const grammar =
        citations === null ? undefined : await llama.createGrammar({ grammar: citing(citations) });
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

  return { describe, say };
}
