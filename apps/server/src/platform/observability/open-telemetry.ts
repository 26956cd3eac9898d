import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';
import type { ObservabilitySettings } from '../../settings/observability.ts';
import { withTimeout } from '../clock.ts';
import type { Root, Tracing } from './tracing.ts';
import { currentSpan, currentWork, runFor } from './work.ts';

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

const SHUTDOWN_MS = 3000;

function samplerOf(name: ObservabilitySettings['otelSampler'], ratio: number): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Logs when sending spans starts to fail, and when it works again. */
function withLog(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing) {
          log.warn(
            `Traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT: ${result.error?.message}`,
          );
        }
        if (!failed && failing) log.info('Traces are sent again.');
        failing = failed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The trace of a request (W3C Trace Context). */
function contextOf({ headers }: Root): Context {
  const { traceparent } = headers ?? {};
  const remote = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
}

/**
 * Records spans and sends them by OTLP over HTTP. Their parents come from the current work instead of a
 * global context. The exporter also reads OTEL_EXPORTER_OTLP_CERTIFICATE, _TIMEOUT and _COMPRESSION.
 */
export function createOpenTelemetry(
  url: string,
  settings: ObservabilitySettings,
  { version, log }: { version: string; log: Log },
): Tracing {
  const { otelHeaders: headers, otelServiceName, otelSampler, otelSamplerArg } = settings;
  const Exporter = settings.otelProtocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const resource = resourceFromAttributes({
    'service.name': 'engram',
    'service.version': version,
    ...settings.otelResource,
    ...(otelServiceName === undefined ? {} : { 'service.name': otelServiceName }),
  });
  const provider = new TracerProvider({
    sampler: samplerOf(otelSampler, otelSamplerArg),
    resource: defaultResource().merge(resource),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: withLog(new Exporter({ url, headers }), log) }),
    ],
  });
  const tracer = provider.getTracer('engram', version);
  const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };

  return {
    on: true,
    begin(root) {
      const { name, kind, attributes } = root;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(root));
      return {
        span,
        end(attributes, failed) {
          span.setAttributes(attributes);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async part(name, attributes, task) {
      const [parent, current] = [currentSpan(), currentWork()];
      if (!parent || !current) return task();
      const context = trace.setSpan(ROOT_CONTEXT, parent);
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context);
      try {
        return await runFor(current, span, task);
      } catch (error) {
        // The message may contain user data, so only the log has it.
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span.end();
      }
    },
    async close() {
      const late = 'The last spans were not sent in time.';
      await withTimeout(provider.shutdown(), SHUTDOWN_MS, late).catch(() => undefined);
    },
  };
}
