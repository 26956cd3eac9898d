import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createCached } from './cached-value.ts';
import type { Metric, Metrics } from './metrics.ts';

interface PrometheusOptions {
  port: number;
  host: string;
  version: string;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
}

/** Seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const STAGE_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const JOB_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600];

/** How long values are cached, in milliseconds. */
const CACHE_MS = 5000;

/** The time limit for reading a metric, in milliseconds. Longer than a readiness check. */
const TIMEOUT_MS = 3000;

/** The time limit for a request to arrive, in milliseconds. */
const ARRIVAL_MS = 5000;

const PATH = '/metrics';

function createMetrics({ version, log, now }: PrometheusOptions) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'engram_info',
    help: 'The running version.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const requests = new Counter({
    name: 'engram_http_requests_total',
    help: "Requests by the pattern of their address, 'page' for pages and their files.",
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'engram_http_request_duration_seconds',
    help: 'From the arrival of a request to the last byte of its response.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const jobs = new Histogram({
    name: 'engram_job_duration_seconds',
    help: 'Attempts of jobs, by outcome.',
    labelNames: ['queue', 'outcome'],
    buckets: JOB_BUCKETS,
    registers,
  });
  const stages = new Histogram({
    name: 'engram_question_stage_duration_seconds',
    help: "Stages of a question, with the names of 'How found'.",
    labelNames: ['stage'],
    buckets: STAGE_BUCKETS,
    registers,
  });
  const unavailable = new Counter({
    name: 'engram_metrics_unavailable_total',
    help: 'Metrics that were omitted because their source did not respond.',
    labelNames: ['metric'],
    registers,
  });

  function add({ name, help, labels, read }: Metric): void {
    const values = createCached(async () => read(), CACHE_MS, TIMEOUT_MS, now);
    const collect = async function (this: Gauge): Promise<void> {
      // An unknown value is omitted. A reset would set a gauge without labels to 0.
      if (labels.length === 0) this.remove();
      else this.reset();
      try {
        for (const { labels, value } of await values()) this.set(labels, value);
      } catch (error) {
        unavailable.inc({ metric: name });
        log.warn({ err: error, metric: name }, 'a metric could not be read');
      }
    };
    const gauge = { name, help, labelNames: [...labels], registers: [], collect };
    registry.registerMetric(new Gauge(gauge));
  }

  return {
    registry,
    add,
    request(method: string, route: string, status: string, seconds: number): void {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    job: (queue: string, outcome: string, seconds: number) =>
      jobs.observe({ queue, outcome }, seconds),
    stage: (stage: string, seconds: number) => stages.observe({ stage }, seconds),
  };
}

async function listen(registry: Registry, { port, host, log }: PrometheusOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const isMetricsRequest = request.method === 'GET' && request.url?.split('?')[0] === PATH;
    if (!isMetricsRequest) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The metrics are at ${PATH}.\n`);
      return;
    }
    registry.metrics().then(
      (text) => {
        response.writeHead(200, { 'content-type': registry.contentType });
        response.end(text);
      },
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be collected');
        response.writeHead(500).end();
      },
    );
  });
  server.headersTimeout = ARRIVAL_MS;
  server.requestTimeout = ARRIVAL_MS;
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** Collects metrics, and serves them for Prometheus on a separate port. @throws Error if the port cannot be used */
export async function openPrometheus(
  options: PrometheusOptions,
): Promise<Metrics & { url: string }> {
  const { registry, ...metrics } = createMetrics(options);
  const { port, host } = options;
  const server = await listen(registry, options).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `The metrics cannot be served on ENGRAM_METRICS_HOST ${host} and ENGRAM_METRICS_PORT ${port}: ${error.message}.`,
    );
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    ...metrics,
    add: (added) => added.forEach((metric) => metrics.add(metric)),
    url: `http://${name}:${address.port}${PATH}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
