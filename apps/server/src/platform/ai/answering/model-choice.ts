import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../clock.ts';
import { createLocalModel, type LocalModel } from '../local/local-model.ts';
import type { ModelStore } from '../local/model-store.ts';
import { type ChatModel, LOCAL_TIMEOUTS, type ModelPart, type ModelRequest } from './chat-model.ts';
import { estimateTokens } from './evidence-budget.ts';
import { createOllamaFinder } from './ollama.ts';
import { type AnswerModelSettings, namedModel, ollamaModel } from './provider.ts';

const TEMPERATURE = 0.1;
/** The maximum tokens of an answer: 400 words in a language that needs many tokens. */
const OUTPUT_LIMIT = 700;
/** How long a CPU may take to evaluate the evidence, in seconds. */
const EVALUATION_SECONDS = 15;
/** The minimum tokens of evidence. With fewer, a model rarely finds an answer. */
const MIN_EVIDENCE = 600;
/** The tokens reserved for the question and the conversation. */
const QUESTION_TOKENS = 1000;

function localChatModel(name: string, local: LocalModel): ChatModel {
  return {
    name,
    setting: `local:${name}`,
    detail: `Answers come from ${name} on this machine.`,
    supportsTools: false,
    canRewrite: false,
    timeouts: LOCAL_TIMEOUTS,
    local,

    async promptBudget(instructions, signal) {
      const { contextTokens, readsPerSecond, gpu } = await local.load(instructions, signal);
      const prompt = contextTokens - OUTPUT_LIMIT;
      const maxEvidence = prompt - estimateTokens(instructions) - QUESTION_TOKENS;
      const evaluable = Math.max(MIN_EVIDENCE, Math.floor(readsPerSecond * EVALUATION_SECONDS));
      return { prompt, evidence: gpu ? maxEvidence : Math.min(maxEvidence, evaluable) };
    },

    async *generate({
      prompt,
      outputTokens,
      group,
      signal,
    }: ModelRequest): AsyncGenerator<ModelPart> {
      if (typeof prompt.prompt !== 'string') throw new Error('The model accepts text only.');
      yield* local.generate({
        instructions: prompt.instructions,
        prompt: prompt.prompt,
        citations: prompt.passages ?? null,
        outputTokens: outputTokens ?? OUTPUT_LIMIT,
        temperature: TEMPERATURE,
        group,
        signal,
      });
    },
  };
}

type Store = Pick<ModelStore, 'current' | 'settled' | 'fileOf'> | null;

const OLLAMA = 'ollama:';

/** Finds the model that ENGRAM_LLM names, or a sentence that says why it is unavailable. */
export function createModelChoice(settings: AnswerModelSettings, clock: Clock, store: Store) {
  const { llm, ollamaBaseUrl } = settings;
  let open: { file: string; chat: ChatModel; local: LocalModel } | null = null;

  async function close(): Promise<void> {
    const { local } = open ?? {};
    open = null;
    await local?.close();
  }

  function openLocal(name: string, file: string): ChatModel {
    if (open?.file === file) return open.chat;
    void close();
    const local = createLocalModel(file, clock);
    open = { file, local, chat: localChatModel(name, local) };
    return open.chat;
  }

  const common = { close, ollamaModels: (): readonly string[] => [], recheck: () => undefined };

  // The chosen or fetched model, otherwise a model of Ollama.
  if (llm === 'auto') {
    const finder = createOllamaFinder(ollamaBaseUrl, clock);
    const { host } = new URL(ollamaBaseUrl);
    return {
      ...common,
      current(): ChatModel | string {
        const stored = store?.current() ?? null;
        if (stored !== null && stored.file !== null) return openLocal(stored.name, stored.file);
        // Frees the memory of a model that was removed or replaced.
        void close();
        const models = finder.current();
        if (models === 'searching') return `Looking for Ollama at ${host}.`;
        if (models === 'absent') {
          return `No language model is on this machine, and there is no Ollama at ${host}.`;
        }
        const [latest] = models;
        if (latest === undefined) {
          return `Ollama at ${host} has no model that can answer. 'ollama pull' fetches one.`;
        }
        const chosen = models.find((name) => stored?.name === OLLAMA + name);
        return ollamaModel(chosen ?? latest, ollamaBaseUrl);
      },
      ollamaModels(): readonly string[] {
        const models = finder.current();
        return typeof models === 'string' ? [] : models;
      },
      recheck: finder.recheck,
      settled: async () => void (await Promise.all([finder.settled(), store?.settled()])),
    };
  }

  // `local:NAME` of the catalog, or `local:` and the path of a file in GGUF format.
  if (llm.startsWith('local:')) {
    const name = llm.slice('local:'.length).trim();
    const isPath = name.endsWith('.gguf');
    const filePath = path.resolve(name.replace(/^~(?=\/)/u, homedir()));
    let file: string | null = null;
    const findFile = async () => {
      if (!isPath) file ??= (await store?.fileOf(name)) ?? null;
      else if (existsSync(filePath)) file = filePath;
    };
    let search = findFile();
    return {
      ...common,
      current(): ChatModel | string {
        if (file !== null) return openLocal(path.basename(name, '.gguf'), file);
        search = findFile();
        return isPath
          ? `The file ${filePath} does not exist.`
          : `${name} is not on this machine: 'npm run model -- get ${name}' fetches it.`;
      },
      settled: () => search,
    };
  }

  const named = namedModel(settings);
  return { ...common, current: (): ChatModel | string => named, settled: async () => undefined };
}
