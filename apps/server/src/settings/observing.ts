import { z } from 'zod';
import { setting, url, type Values, whole } from './setting.ts';

/** Which requests and jobs are recorded, by the names of OpenTelemetry. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const observing = {
  drainSeconds: setting(
    'ENGRAM_DRAIN_SECONDS',
    z.coerce.number().min(0).max(600).default(0),
    'Seconds after SIGTERM in which calls are still taken while /v1/ready already says no, so that a load balancer can turn to another server.',
  ),
  stopSeconds: setting(
    'ENGRAM_STOP_SECONDS',
    whole(10),
    'Seconds that calls and jobs which are under way get to end at a stop. Jobs that take longer run again after the next start.',
  ),
  metricsPort: setting(
    'ENGRAM_METRICS_PORT',
    z.coerce.number().int().min(0).max(65_535).optional(),
    'Port on which /metrics answers figures for Prometheus. Without it there are none.',
  ),
  metricsHost: setting(
    'ENGRAM_METRICS_HOST',
    z.string().default('127.0.0.1'),
    'Address on which the figures are answered, to anybody who reaches it.',
  ),
  otelDisabled: setting(
    'OTEL_SDK_DISABLED',
    z.enum(['true', 'false']).default('false'),
    'true records no traces, whatever else is set.',
  ),
  otelExporter: setting(
    'OTEL_TRACES_EXPORTER',
    z.enum(['otlp', 'none']).default('otlp'),
    'none records no traces.',
  ),
  otelEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url().optional(),
    'OpenTelemetry collector that traces are sent to, such as http://localhost:4318; /v1/traces is added. Without it none are recorded.',
  ),
  otelTracesEndpoint: setting(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    url().optional(),
    'The whole address that traces are sent to, where it is another one.',
  ),
  otelProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
    'How traces are written: http/protobuf or http/json.',
  ),
  otelHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    pairs(),
    'Headers of what is sent to the collector, such as authorization=Bearer%20KEY, separated by commas.',
  ),
  otelServiceName: setting(
    'OTEL_SERVICE_NAME',
    z.string().optional(),
    'What the server is called in traces. Default: engram.',
  ),
  otelResource: setting(
    'OTEL_RESOURCE_ATTRIBUTES',
    pairs(),
    'What else the server says of itself in traces, such as deployment.environment.name=production, separated by commas.',
  ),
  otelSampler: setting(
    'OTEL_TRACES_SAMPLER',
    z.enum(SAMPLERS).default('parentbased_always_on'),
    `Which requests and jobs are recorded: ${SAMPLERS.join(', ')}.`,
  ),
  otelSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    z.coerce.number().min(0).max(1).default(1),
    'The share that a sampler by ratio records, from 0 to 1.',
  ),
} as const;

export type ObservabilitySettings = Values<typeof observing>;

/** Names with URL-encoded values, separated by commas. */
function pairs() {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      const found: Record<string, string> = {};
      for (const part of text.split(',').filter((part) => part.trim() !== '')) {
        const [name = '', ...value] = part.split('=');
        const read = decoded(value.join('='));
        if (name.trim() === '' || value.length === 0 || read === null) {
          context.addIssue({
            code: 'custom',
            message: 'must be name=value, several separated by commas, with % for odd characters',
          });
          return z.NEVER;
        }
        found[name.trim()] = read;
      }
      return found;
    });
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value.trim());
  } catch {
    return null;
  }
}
