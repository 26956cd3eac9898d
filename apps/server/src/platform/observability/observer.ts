import { performance } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import { type JobOutcome, type Metrics, noMetrics } from './metrics.ts';
import { noTracing, type Tracing } from './tracing.ts';
import { runFor, type Work } from './work.ts';

/** A job as it is watched. */
export interface WatchedJob {
  id: string;
  queue: string;
  /** 1 for the first try. */
  attempt: number;
}

/** Follows requests and jobs from their beginning to their end: for the log, figures and traces. */
export interface Observer {
  /** Works on a request; `end` is called once, when its answer has gone out or nobody waits any more. */
  request(request: FastifyRequest, run: () => void): { end: (answer: Answer) => void };
  /** Runs a job. */
  job(job: WatchedJob, run: () => Promise<JobOutcome>): Promise<void>;
}

export interface Answer {
  status: number;
  /** Whether all of it went out. */
  whole: boolean;
}

/** Pages, their files, and addresses at which there is nothing: as many as anybody likes. */
const PAGE = 'page';

/** A call's address without what stands in for its parameters. */
const routeOf = ({ routeOptions: { config, url } }: FastifyRequest): string =>
  config?.admits && url !== undefined ? url : PAGE;

const secondsSince = (at: number): number => (performance.now() - at) / 1000;

/** What follows the work of one server. Default: it only gives the lines of the log their ids. */
export function createObserver({
  metrics = noMetrics,
  tracing = noTracing,
}: { metrics?: Metrics; tracing?: Tracing } = {}): Observer {
  return {
    request(request, run) {
      const at = performance.now();
      const { method } = request;
      const route = routeOf(request);
      const work: Work = { names: { reqId: request.id }, over: false };
      const trace = tracing.begin({
        name: `${method} ${route}`,
        kind: 'server',
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'engram.request_id': request.id,
        },
        headers: request.headers,
      });
      runFor(work, trace?.span ?? null, run);
      return {
        end({ status, whole }) {
          work.over = true;
          const told = whole ? `${Math.floor(status / 100)}xx` : 'aborted';
          metrics.request(method, route, told, secondsSince(at));
          trace?.end({ 'http.response.status_code': status }, status >= 500);
        },
      };
    },

    async job({ id, queue, attempt }, run) {
      const at = performance.now();
      const work: Work = { names: { jobId: id, queue }, over: false };
      const trace = tracing.begin({
        name: `job ${queue}`,
        kind: 'consumer',
        attributes: {
          'messaging.system': 'engram',
          'messaging.destination.name': queue,
          'messaging.message.id': id,
          'engram.attempt': attempt,
        },
      });
      const outcome = await runFor(work, trace?.span ?? null, run);
      work.over = true;
      metrics.job(queue, outcome, secondsSince(at));
      trace?.end({ 'engram.outcome': outcome }, outcome === 'failed');
    },
  };
}
