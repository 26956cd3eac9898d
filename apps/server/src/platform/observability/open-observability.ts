import type { FastifyBaseLogger } from 'fastify';
import type { ObservabilitySettings } from '../../settings/observability.ts';
import { type Metrics, noMetrics } from './metrics.ts';
import { createObserver } from './observer.ts';
import { noTracing, type Tracing } from './tracing.ts';

interface ObservabilityContext {
  version: string;
  log: FastifyBaseLogger;
  now: () => Date;
}

function traceAddress(settings: ObservabilitySettings): string | null {
  const { otelDisabled, otelExporter, otelEndpoint, otelTracesEndpoint } = settings;
  if (otelDisabled === 'true' || otelExporter === 'none') return null;
  if (otelTracesEndpoint !== undefined) return otelTracesEndpoint;
  return otelEndpoint === undefined ? null : `${otelEndpoint.replace(/\/$/u, '')}/v1/traces`;
}

async function openTracing(
  settings: ObservabilitySettings,
  context: ObservabilityContext,
): Promise<Tracing> {
  const url = traceAddress(settings);
  if (url === null) return noTracing;
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  return createOpenTelemetry(url, settings, context);
}

/** Opens metrics and traces if they are on. @throws Error if the port cannot be used */
export async function openObservability(
  settings: ObservabilitySettings,
  context: ObservabilityContext,
) {
  const { metricsPort: port, metricsHost: host } = settings;
  const prometheus =
    port === undefined
      ? null
      : await import('./prometheus.ts').then(({ openPrometheus }) =>
          openPrometheus({ ...context, port, host }),
        );
  const metrics: Metrics = prometheus ?? noMetrics;
  const tracing = await openTracing(settings, context);
  return {
    metrics,
    /** The address of the metrics; null if they are off. */
    metricsUrl: prometheus?.url ?? null,
    tracing,
    observer: createObserver({ metrics, tracing }),
    async close() {
      await tracing.close();
      await metrics.close();
    },
  };
}

export type Observability = Awaited<ReturnType<typeof openObservability>>;
