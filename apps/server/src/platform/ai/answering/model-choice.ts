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
/** Maximum tokens of an answer: 400 words in a language that takes many. */
const OUTPUT_LIMIT = 700;
/** The evidence is limited to what the model evaluates in this time on a CPU, in seconds. */
const EVALUATION_SECONDS = 15;
/** Minimum tokens of evidence: with less a model rarely finds an answer. */
const MIN_EVIDENCE = 600;
/** Tokens for the question and the conversation, beside the instructions. */
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
      const most = prompt - estimateTokens(instructions) - QUESTION_TOKENS;
      const quick = Math.max(MIN_EVIDENCE, Math.floor(readsPerSecond * EVALUATION_SECONDS));
      return { prompt, evidence: gpu ? most : Math.min(most, quick) };
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

/** Finds the model that ENGRAM_LLM names, or a sentence with the reason why it is not available. */
export function createModelChoice(settings: AnswerModelSettings, clock: Clock, store: Store) {
  const { llm, ollamaBaseUrl } = settings;
  let open: { file: string; chat: ChatModel; local: LocalModel } | null = null;

  async function close(): Promise<void> {
    const { local } = open ?? {};
    open = null;
    await local?.close();
  }

  function loaded(name: string, file: string): ChatModel {
    if (open?.file === file) return open.chat;
    void close();
    const local = createLocalModel(file, clock);
    open = { file, local, chat: localChatModel(name, local) };
    return open.chat;
  }

  const others = { close, ollamaModels: (): readonly string[] => [], recheck: () => undefined };

  // The model that was chosen or fetched, else a model of Ollama.
  if (llm === 'auto') {
    const finder = createOllamaFinder(ollamaBaseUrl, clock);
    const { host } = new URL(ollamaBaseUrl);
    return {
      ...others,
      current(): ChatModel | string {
        const own = store?.current() ?? null;
        if (own !== null && own.file !== null) return loaded(own.name, own.file);
        // A model that was removed, or replaced by one of Ollama, needs no memory.
        void close();
        const found = finder.current();
        if (found === 'looking') return `Ollama is being looked for at ${host}.`;
        if (found === 'absent') {
          return `No language model is on this machine, and there is no Ollama at ${host}.`;
        }
        const [latest] = found;
        if (latest === undefined) {
          return `Ollama at ${host} has no model that can answer; 'ollama pull' fetches one.`;
        }
        const chosen = found.find((name) => own?.name === OLLAMA + name);
        return ollamaModel(chosen ?? latest, ollamaBaseUrl);
      },
      ollamaModels(): readonly string[] {
        const found = finder.current();
        return typeof found === 'string' ? [] : found;
      },
      recheck: finder.recheck,
      settled: async () => void (await Promise.all([finder.settled(), store?.settled()])),
    };
  }

  // `local:NAME` of the catalogue, or `local:` and the path of a file in GGUF format.
  if (llm.startsWith('local:')) {
    const name = llm.slice('local:'.length).trim();
    const isPath = name.endsWith('.gguf');
    const given = path.resolve(name.replace(/^~(?=\/)/u, homedir()));
    let file: string | null = null;
    const look = async () => {
      if (!isPath) file ??= (await store?.fileOf(name)) ?? null;
      else if (existsSync(given)) file = given;
    };
    let looking = look();
    return {
      ...others,
      current(): ChatModel | string {
        if (file !== null) return loaded(path.basename(name, '.gguf'), file);
        looking = look();
        return isPath
          ? `There is no file ${given}.`
          : `${name} is not on this machine: 'npm run model -- get ${name}' fetches it.`;
      },
      settled: () => looking,
    };
  }

  const named = namedModel(settings);
  return { ...others, current: (): ChatModel | string => named, settled: async () => undefined };
}
