import { performance } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import { type JobOutcome, type Metrics, noMetrics } from './metrics.ts';
import { noTracing, type Tracing } from './tracing.ts';
import { runFor, type Work } from './work.ts';

/** The route of pages, their files, and unknown addresses. */
const PAGE = 'page';

const routeOf = ({ routeOptions: { config, url } }: FastifyRequest): string =>
  config?.admits && url !== undefined ? url : PAGE;

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;

/** Observes requests and jobs for the log, metrics and traces. */
export function createObserver({
  metrics = noMetrics,
  tracing = noTracing,
}: { metrics?: Metrics; tracing?: Tracing } = {}) {
  return {
    /** Handles a request. `end` must be called once, with `whole` if the complete response was sent. */
    request(request: FastifyRequest, run: () => void) {
      const startedAt = performance.now();
      const { method } = request;
      const route = routeOf(request);
      const work: Work = { names: { reqId: request.id }, isOver: false };
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
        end({ status, whole }: { status: number; whole: boolean }): void {
          work.isOver = true;
          const outcome = whole ? `${Math.floor(status / 100)}xx` : 'aborted';
          metrics.request(method, route, outcome, secondsSince(startedAt));
          trace?.end({ 'http.response.status_code': status }, status >= 500);
        },
      };
    },

    /** Runs an attempt of a job, from 1. */
    async job(
      { id, queue, attempt }: { id: string; queue: string; attempt: number },
      run: () => Promise<JobOutcome>,
    ): Promise<void> {
      const startedAt = performance.now();
      const work: Work = { names: { jobId: id, queue }, isOver: false };
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
      work.isOver = true;
      metrics.job(queue, outcome, secondsSince(startedAt));
      trace?.end({ 'engram.outcome': outcome }, outcome === 'failed');
    },
  };
}

export type Observer = ReturnType<typeof createObserver>;
