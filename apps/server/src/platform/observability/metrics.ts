import type { GaugeConfiguration } from 'prom-client';

/** One value of a figure, with the words that tell it from the others. */
export interface Value {
  labels: Record<string, string>;
  value: number;
}

/** A figure that is asked for when somebody reads the figures. */
export interface Figure extends Pick<GaugeConfiguration<string>, 'name' | 'help'> {
  labels: readonly string[];
  read: () => Promise<readonly Value[]> | readonly Value[];
}

/** How a job ended: it goes back where the stop came first, and is cancelled where nobody wants it any more. */
export type JobOutcome = 'done' | 'failed' | 'given back' | 'cancelled';

/** Counts what the server does. No figure has a person, a file or an address with ids in it. */
export interface Metrics {
  /** @param route the pattern of its address, such as '/v1/artifacts/:artifactId' */
  request(method: string, route: string, status: string, seconds: number): void;
  job(queue: string, outcome: JobOutcome, seconds: number): void;
  /** A stage of a question has ended. */
  stage(name: string, seconds: number): void;
  /** Adds figures that are asked for when somebody reads. */
  add(figures: readonly Figure[]): void;
  close(): Promise<void>;
}

/** What counts nothing. */
export const noMetrics: Metrics = {
  request: () => undefined,
  job: () => undefined,
  stage: () => undefined,
  add: () => undefined,
  close: async () => undefined,
};
