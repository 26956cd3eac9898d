import type { GaugeConfiguration } from 'prom-client';

export interface Value {
  labels: Record<string, string>;
  value: number;
}

/** A metric that is read on collection. */
export interface Metric extends Pick<GaugeConfiguration<string>, 'name' | 'help'> {
  labels: readonly string[];
  read: () => Promise<readonly Value[]> | readonly Value[];
}

export type JobOutcome = 'done' | 'failed' | 'given back' | 'cancelled';

/** Counts requests, jobs and stages. No label contains a user, a file or an id. */
export interface Metrics {
  /** @param route the pattern of the address, such as '/v1/artifacts/:artifactId' */
  request(method: string, route: string, status: string, seconds: number): void;
  job(queue: string, outcome: JobOutcome, seconds: number): void;
  stage(name: string, seconds: number): void;
  add(metrics: readonly Metric[]): void;
  close(): Promise<void>;
}

export const noMetrics: Metrics = {
  request: () => undefined,
  job: () => undefined,
  stage: () => undefined,
  add: () => undefined,
  close: async () => undefined,
};
