import { uploadArtifacts } from '@engram/contract';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../config.ts';
import { openObservability } from '../../../platform/observability/open-observability.ts';
import { noTracing } from '../../../platform/observability/tracing.ts';
import { buildTestApp } from '../../../tests/app.test-setup.ts';
import {
  type SentSpan,
  startTraceCollector,
  type TraceRequest,
} from '../../../tests/trace-collector.test-setup.ts';

const QUESTION = 'What is the deposit of the boathouse?';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

const attributeOf = ({ attributes }: SentSpan, name: string): string | number | undefined => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

type Collector = Awaited<ReturnType<typeof startTraceCollector>>;
let collector: Collector;
beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.close());

/** The traces of a server that processes a file and answers a question, from start to stop. */
async function tracesOf(
  env: Record<string, string>,
): Promise<{ sent: TraceRequest[]; token: string }> {
  const from = collector.requests.length;
  const engram = await buildTestApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
  });
  const { client, token } = await engram.signIn('ann@example.org');
  const content = new Blob(['The deposit of the boathouse is 2,340 euros.']);
  await client.upload(uploadArtifacts, [{ name: 'lease.txt', content }], {});
  await engram.settled();
  const answer = await fetch(`${engram.baseUrl}/search`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-request-id': 'the-question',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify({ text: QUESTION, audio: false }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  await engram.close();
  return { sent: collector.requests.slice(from), token };
}

describe('traces', () => {
  let sent: TraceRequest[];
  let spans: SentSpan[];
  let token: string;
  const inTrace = (id: string | undefined) => spans.filter(({ traceId }) => traceId === id);

  beforeAll(async () => {
    ({ sent, token } = await tracesOf({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20the-key',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    }));
    spans = sent.flatMap((request) => request.spans);
  });

  test('traces are sent to the collector with the configured attributes', () => {
    expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer the-key' });
    expect(sent[0]?.resource).toMatchObject({
      'service.name': 'engram',
      'service.version': expect.any(String),
      'deployment.environment.name': 'test',
    });
  });

  test('a question is part of the trace of its caller, with its request id', () => {
    const question = spans.find(({ name }) => name === 'POST /v1/search')!;
    expect(question).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
    expect(attributeOf(question, 'http.route')).toBe('/v1/search');
    expect(attributeOf(question, 'http.response.status_code')).toBe(200);
    expect(attributeOf(question, 'engram.request_id')).toBe('the-question');
    const parts = inTrace(TRACE).filter(({ parentSpanId }) => parentSpanId === question.spanId);
    const names = parts.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['database SELECT', 'index.search']));
  });

  test('each job is its own trace, with its spans', () => {
    const job = spans.find(({ name }) => name === 'job read-artifact')!;
    expect(job.parentSpanId ?? '').toBe('');
    expect(attributeOf(job, 'engram.outcome')).toBe('done');
    const names = inTrace(job.traceId).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['database UPDATE', 'index.replace']));
  });

  test('traces contain no text or data of users', () => {
    const spanText = JSON.stringify(spans);
    for (const word of ['boathouse', 'ann@example.org', 'lease.txt', token]) {
      expect(spanText).not.toContain(word);
    }
  });
});

test('traces are sent as protobuf by default', async () => {
  const { sent } = await tracesOf({});
  expect(sent[0]?.headers['content-type']).toBe('application/x-protobuf');
  const bytes = Buffer.concat(sent.map((request) => request.bytes)).toString('latin1');
  expect(bytes).toContain('POST /v1/search');
});

test('a collector that refuses or is down delays nothing', async () => {
  collector.behave('refuse');
  expect((await tracesOf({})).sent.length).toBeGreaterThan(0);
  collector.behave('take');
  expect((await tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).sent).toEqual([]);
});

test.each<[string, Record<string, string>]>([
  ['no address', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true' }],
  ['OTEL_TRACES_EXPORTER', { OTEL_TRACES_EXPORTER: 'none' }],
])('nothing is recorded with %s', async (_, env) => {
  const config = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
  const observability = await openObservability(config, {
    version: '1.2.3',
    log: pino({ level: 'silent' }),
    now: () => new Date(),
  });
  expect(observability.tracing).toBe(noTracing);
});
