import { json, buffer } from 'node:stream/consumers';
import { sendJson, startScriptedServer } from './scripted-server.test-setup.ts';

/** A span in OTLP. */
export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
}

interface Attribute {
  key: string;
  value: { stringValue?: string };
}

/** The content of one request. */
export interface TraceRequest {
  headers: Record<string, unknown>;
  /** Of JSON. */
  spans: SentSpan[];
  resource: Record<string, string | undefined>;
  /** The bytes of protobuf, which contain names literally. */
  bytes: Buffer;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

/** A collector for tests: it accepts or refuses traces by OTLP over HTTP, as JSON or as protobuf. */
export async function startTraceCollector() {
  return startScriptedServer<TraceRequest, 'take' | 'refuse'>({
    first: 'take',
    async handle(incoming, response, record) {
      const { headers } = incoming;
      const isJson = headers['content-type'] === 'application/json';
      if (incoming.method !== 'POST' || incoming.url !== '/v1/traces') {
        sendJson(response, 404, { code: 5, message: 'not found' });
        return;
      }
      const request = isJson
        ? readRequest((await json(incoming)) as ExportRequest)
        : { spans: [], resource: {}, bytes: await buffer(incoming) };
      if (record({ headers, ...request }) === 'refuse') {
        sendJson(response, 400, { code: 3, message: 'refused' });
      } else if (isJson) {
        sendJson(response, 200, {});
      } else {
        // An empty message.
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      }
    },
  });
}

function readRequest({ resourceSpans }: ExportRequest): Omit<TraceRequest, 'headers'> {
  const attributes = resourceSpans.flatMap(({ resource }) => resource.attributes);
  return {
    spans: resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue])),
    bytes: Buffer.alloc(0),
  };
}
