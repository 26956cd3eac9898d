import type { FastifyBaseLogger } from 'fastify';
import type { CatalogueModel } from '../platform/ai/local/catalogue.ts';
import type { AnalysisThreadsOptions } from '../features/search/analysis/analysis-threads.ts';

/** What the server finds around it: a clock, a log, and what tests put in the place of the real thing. */
export interface Surroundings {
  log: FastifyBaseLogger;
  now: () => Date;
  /** Checks every answer against the contract; on in tests. */
  checkAnswers?: boolean;
  /** How long finding by meaning may hold up an answer, in milliseconds. Default: 150. */
  meaningMs?: number;
  /** How long a question waits for the reranker, in milliseconds. Default: 300. */
  rerankMs?: number;
  /** Whether a thread for questions starts before the first one comes. Default: true. */
  warmUp?: boolean;
  /** The time limit and the program of the threads that analyse questions. */
  analysis?: Omit<AnalysisThreadsOptions, 'log'>;
  /** Bytes that the disk of a folder has left; without it the disk is asked. */
  freeBytes?: (folder: string) => Promise<number>;
  /** The language models that can be fetched. Default: those of this version of Engram. */
  languageModels?: readonly CatalogueModel[];
  /** How what programs say of themselves is fetched. Default: from the open internet alone. */
  fetchMetadata?: typeof globalThis.fetch;
  /** Makes the data folder and the secret those of the database, whatever they were. */
  takeOver?: boolean;
  /** The built web app, or null for calls alone. */
  webFolder?: string | null;
  /** Where the Connector's built files are; it may not be there. */
  connectorFolder?: string;
}
