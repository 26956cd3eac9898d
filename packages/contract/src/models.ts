import { z } from 'zod';
import { defineRoute } from './route.ts';

const bytes = z.number().int().nonnegative();

/** A language model that can write answers on this machine. */
export const languageModel = z.object({
  /** What calls, settings and commands call it; with `ollama:` before it where Ollama has it. */
  name: z.string(),
  title: z.string(),
  /** Who runs it: Engram itself, or the Ollama of this machine. */
  runner: z.enum(['engram', 'ollama']),
  /** Whether it is here as a whole, in part, or on its way. */
  state: z.enum(['absent', 'fetching', 'paused', 'here']),
  /** Bytes of its file, and how many of them are here; null where that is not known. */
  bytes: bytes.nullable(),
  done: bytes.nullable(),
  /** Memory that it takes, in bytes; null where that is not known. */
  memoryBytes: bytes.nullable(),
  /** SPDX id of its licence and where that stands; null outside the catalogue. */
  licence: z.string().nullable(),
  licenceUrl: z.string().nullable(),
  /** Why the last fetch ended before its end, as a sentence. */
  problem: z.string().nullable(),
  /** Whether it answers questions now. */
  answers: z.boolean(),
});
export type LanguageModel = z.output<typeof languageModel>;

export const modelsState = z.object({
  /** Best first. */
  models: z.array(languageModel),
  /** What answers now, or in a sentence why nothing does. */
  detail: z.string(),
  /** What ENGRAM_LLM says, which wins over what is chosen here; null while it leaves the choice. */
  setting: z.string().nullable(),
  /** Whether the caller may fetch, choose and remove models. */
  mayChange: z.boolean(),
  machine: z.object({
    memoryBytes: bytes,
    processors: z.number().int().positive(),
    /** Bytes free where models are kept. */
    freeDiskBytes: bytes,
    /** Tokens that the model in memory reads in a second, as measured; null before it is loaded. */
    readsPerSecond: z.number().positive().nullable(),
    /** Whether a graphics processor does the work; null before a model is loaded. */
    gpu: z.boolean().nullable(),
  }),
});
export type ModelsState = z.output<typeof modelsState>;

const shared = { auth: 'user', kind: 'json', data: modelsState } as const;
const named = {
  ...shared,
  params: z.object({ name: z.string().min(1).max(200) }),
  errors: {
    403: 'Only admins, or the only user of a server of this machine, may do this.',
    404: 'No such model.',
    409: 'The model is not here, or ENGRAM_LLM decides.',
  },
} as const;

export const listModels = defineRoute({
  ...shared,
  id: 'models.listModels',
  method: 'GET',
  path: '/models',
  summary: 'The language models that can write answers, and which one does',
});

export const getModel = defineRoute({
  ...named,
  id: 'models.getModel',
  method: 'POST',
  path: '/models/{name}/get',
  summary: 'Begin to fetch a model, or go on with it',
});

export const pauseModel = defineRoute({
  ...named,
  id: 'models.pauseModel',
  method: 'POST',
  path: '/models/{name}/pause',
  summary: 'Stop fetching a model; what is here stays',
});

export const useModel = defineRoute({
  ...named,
  id: 'models.useModel',
  method: 'POST',
  path: '/models/{name}/use',
  summary: 'Have a model answer questions',
});

export const removeModel = defineRoute({
  ...named,
  id: 'models.removeModel',
  method: 'DELETE',
  path: '/models/{name}',
  summary: 'Take a model, or the part of it that is here, off the disk',
});
