import { z } from 'zod';
import { defineRoute } from './route.ts';
import { count } from './values.ts';

const bytes = count;

/** A language model that can write answers on this machine. */
export const languageModel = z.object({
  /** Its name in calls, settings and commands, with the prefix `ollama:` for a model of Ollama. */
  name: z.string(),
  title: z.string(),
  /** The program that runs it. */
  runner: z.enum(['engram', 'ollama']),
  /** `here` is complete, `paused` is partly downloaded. */
  state: z.enum(['absent', 'fetching', 'paused', 'here']),
  /** Size of its file and the bytes of it on this machine; null if unknown. */
  bytes: bytes.nullable(),
  done: bytes.nullable(),
  /** Memory that it needs, in bytes; null if unknown. */
  memoryBytes: bytes.nullable(),
  /** SPDX id and address of its license; null outside the catalog. */
  licence: z.string().nullable(),
  licenceUrl: z.string().nullable(),
  /** Why the last fetch failed, as a sentence. */
  problem: z.string().nullable(),
  /** Whether it answers questions now. */
  answers: z.boolean(),
});
export type LanguageModel = z.output<typeof languageModel>;

const modelsState = z.object({
  /** Best first. */
  models: z.array(languageModel),
  /** A sentence that names the model that answers, or says why no model does. */
  detail: z.string(),
  /** The value of ENGRAM_LLM, which overrides the choice; null for `auto`. */
  setting: z.string().nullable(),
  /** Whether the user may fetch, choose and remove models. */
  mayChange: z.boolean(),
  machine: z.object({
    memoryBytes: bytes,
    processors: z.number().int().positive(),
    /** Free bytes of the disk that models are stored on. */
    freeDiskBytes: bytes,
    /** Measured prompt tokens per second of the loaded model; null before it is loaded. */
    readsPerSecond: z.number().positive().nullable(),
    /** Whether the loaded model runs on a GPU; null before it is loaded. */
    gpu: z.boolean().nullable(),
  }),
});
export type ModelsState = z.output<typeof modelsState>;

const namedModel = {
  data: modelsState,
  params: z.object({ name: z.string().min(1).max(200) }),
  errors: {
    403: 'Only admins, or the only user of a server of this machine, may do this.',
    404: 'No such model.',
    409: 'The model is not downloaded, or ENGRAM_LLM selects the model.',
  },
} as const;

export const listModels = defineRoute('GET /models', {
  data: modelsState,
  kind: 'events',
  progress: true,
  /** Sent again during a download, and a last time when no download is running. */
  events: { state: modelsState },
  summary: 'The language models that can write answers, and which one does',
});

export const getModel = defineRoute('POST /models/{name}/get', {
  ...namedModel,
  summary: 'Start or resume the download of a model',
});

export const pauseModel = defineRoute('POST /models/{name}/pause', {
  ...namedModel,
  summary: 'Pause the download of a model',
});

export const chooseModel = defineRoute('POST /models/{name}/use', {
  ...namedModel,
  summary: 'Select the model that answers questions',
});

export const removeModel = defineRoute('DELETE /models/{name}', {
  ...namedModel,
  summary: 'Delete a model or a part of it from the disk',
});
