import { z } from 'zod';
import { setting, url, type Values, whole } from './setting.ts';

/** Samplers, by their OpenTelemetry names. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const observability = {
  drainSeconds: setting(
    'ENGRAM_DRAIN_SECONDS',
    z.coerce.number().min(0).max(600).default(0),
    'Seconds after SIGTERM during which calls are still answered while /v1/ready reports that the server is not ready, so that a load balancer can switch to another server.',
  ),
  stopSeconds: setting(
    'ENGRAM_STOP_SECONDS',
    whole(10),
    'Seconds that running calls and jobs have to finish when the server stops. Longer jobs run again after the next start.',
  ),
  metricsPort: setting(
    'ENGRAM_METRICS_PORT',
    z.coerce.number().int().min(0).max(65_535).optional(),
    'Port on which /metrics serves metrics for Prometheus. Without it, there are no metrics.',
  ),
  metricsHost: setting(
    'ENGRAM_METRICS_HOST',
    z.string().default('127.0.0.1'),
    'Address on which the metrics are served, without authentication.',
  ),
  otelDisabled: setting(
    'OTEL_SDK_DISABLED',
    z.enum(['true', 'false']).default('false'),
    'true disables traces regardless of other settings.',
  ),
  otelExporter: setting(
    'OTEL_TRACES_EXPORTER',
    z.enum(['otlp', 'none']).default('otlp'),
    'none disables traces.',
  ),
  otelEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url().optional(),
    'OpenTelemetry collector for traces, such as http://localhost:4318. /v1/traces is appended. Without it, no traces are recorded.',
  ),
  otelTracesEndpoint: setting(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    url().optional(),
    'Full address for traces, if it differs.',
  ),
  otelProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
    'The encoding of traces: http/protobuf or http/json.',
  ),
  otelHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    pairs(),
    'Headers for the collector, such as authorization=Bearer%20KEY, separated by commas.',
  ),
  otelServiceName: setting(
    'OTEL_SERVICE_NAME',
    z.string().optional(),
    'Name of the server in traces. Default: engram.',
  ),
  otelResource: setting(
    'OTEL_RESOURCE_ATTRIBUTES',
    pairs(),
    'Further attributes of the server in traces, such as deployment.environment.name=production, separated by commas.',
  ),
  otelSampler: setting(
    'OTEL_TRACES_SAMPLER',
    z.enum(SAMPLERS).default('parentbased_always_on'),
    `Which requests and jobs are recorded: ${SAMPLERS.join(', ')}.`,
  ),
  otelSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    z.coerce.number().min(0).max(1).default(1),
    'Share of traces that a ratio sampler records, from 0 to 1.',
  ),
} as const;

export type ObservabilitySettings = Values<typeof observability>;

/** Names with URL-encoded values, separated by commas. */
function pairs() {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      const values: Record<string, string> = {};
      for (const part of text.split(',').filter((part) => part.trim() !== '')) {
        const [name = '', ...valueParts] = part.split('=');
        const value = decoded(valueParts.join('='));
        if (name.trim() === '' || valueParts.length === 0 || value === null) {
          context.addIssue({
            code: 'custom',
            message: 'must be name=value, separated by commas, with special characters URL-encoded',
          });
          return z.NEVER;
        }
        values[name.trim()] = value;
      }
      return values;
    });
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value.trim());
  } catch {
    return null;
  }
}
