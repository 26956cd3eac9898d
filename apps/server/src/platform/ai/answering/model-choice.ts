import { homedir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../clock.ts';
import { createLocalModel, type LocalModel } from '../local/local-model.ts';
import type { ModelShelf } from '../local/model-shelf.ts';
import { boxModel } from './box-model.ts';
import type { ChatModel } from './chat-model.ts';
import { createOllamaFinder, type OllamaFound } from './ollama.ts';
import { type AnswerModelSettings, namedModel, ollamaModel } from './provider.ts';

export interface ModelChoiceOptions {
  fetch: typeof globalThis.fetch;
  clock: Clock;
  /** The models in the box; null where none can run here. */
  shelf: Pick<ModelShelf, 'current' | 'settled' | 'fileOf'> | null;
}

/** Which model answers now. */
export interface ModelChoice {
  /** The model to ask, or in a sentence why there is none. */
  current(): ChatModel | string;
  /** The names of the models that Ollama offers, where it may be chosen. */
  offered(): readonly string[];
  /** The model that was just asked could not be reached. */
  doubt(): void;
  /** Settles when the looks for models that are under way have ended. */
  settled(): Promise<void>;
  /** Gives back the memory of a model in the box. */
  close(): Promise<void>;
}

const absence = (state: Exclude<OllamaFound['state'], 'found'>, host: string): string =>
  ({
    looking: `Ollama is being looked for at ${host}.`,
    absent: `No model was fetched to this machine, there is no Ollama at ${host}, and ENGRAM_LLM names no other.`,
    empty: `Ollama at ${host} has no model that can answer; 'ollama pull' fetches one.`,
  })[state];

/** The models in the box: one at a time is in memory. */
function createBox(clock: Clock) {
  let open: { file: string; chat: ChatModel; local: LocalModel } | null = null;
  return {
    model(name: string, file: string): ChatModel {
      if (open?.file !== file) {
        void open?.local.close();
        const local = createLocalModel({ path: file, clock });
        open = { file, local, chat: boxModel(name, local) };
      }
      return open.chat;
    },
    close: async () => open?.local.close(),
  };
}

/** `auto`: what was chosen or fetched, then Ollama, then none. */
function automatic(
  { ollamaBaseUrl }: AnswerModelSettings,
  { fetch, clock, shelf }: ModelChoiceOptions,
): ModelChoice {
  const box = createBox(clock);
  const finder = createOllamaFinder({ baseUrl: ollamaBaseUrl, fetch, clock });
  return {
    current() {
      const own = shelf?.current() ?? null;
      if (own !== null && own.file !== null) return box.model(own.name, own.file);
      const found = finder.current();
      const chosen = own?.name.startsWith('ollama:') ? own.name.slice('ollama:'.length) : null;
      if (found.state !== 'found') return absence(found.state, new URL(ollamaBaseUrl).host);
      const isThere = chosen !== null && found.all.includes(chosen);
      return ollamaModel(isThere ? chosen : found.model, ollamaBaseUrl, fetch);
    },
    offered() {
      const found = finder.current();
      return found.state === 'found' ? found.all : [];
    },
    doubt: finder.doubt,
    settled: async () => void (await Promise.all([finder.settled(), shelf?.settled()])),
    close: box.close,
  };
}

/** `local:NAME` of the catalogue, or `local:` and the path of a file in GGUF format. */
function local(name: string, { clock, shelf }: ModelChoiceOptions): ModelChoice {
  const box = createBox(clock);
  const own = name.endsWith('.gguf') ? path.resolve(name.replace(/^~(?=\/)/u, homedir())) : null;
  let file = own;
  const look = async () => {
    file ??= (await shelf?.fileOf(name).catch(() => null)) ?? null;
  };
  let looking = look();
  return {
    current() {
      if (file !== null) return box.model(path.basename(name, '.gguf'), file);
      looking = look();
      return `${name} is not on this machine: 'npm run model -- get ${name}' fetches it.`;
    },
    offered: () => [],
    doubt: () => undefined,
    settled: () => looking,
    close: box.close,
  };
}

/** What the settings say of the model that answers. */
export function createModelChoice(
  settings: AnswerModelSettings,
  options: ModelChoiceOptions,
): ModelChoice {
  const { llm } = settings;
  if (llm === 'auto') return automatic(settings, options);
  if (llm.startsWith('local:')) return local(llm.slice('local:'.length).trim(), options);
  const named = namedModel(settings, options.fetch);
  return {
    current: () => named,
    offered: () => [],
    doubt: () => undefined,
    settled: async () => undefined,
    close: async () => undefined,
  };
}
