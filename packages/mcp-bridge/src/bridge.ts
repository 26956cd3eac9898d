import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  SdkHttpError,
  type StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';

/** The JSON-RPC code of a refusal. */
const REFUSED = -32_000;

const CUT_OFF = 'Engram ended the connection before it had answered. Please try again.';

const UNREACHABLE =
  'Engram cannot be reached. Start it, or set ENGRAM_BASE_URL to the address where it runs.';
const NO_ENDPOINT =
  'There is no Engram at this address, or an old one. Set ENGRAM_BASE_URL to the address where it runs.';
const KEY_HINT = 'Make a key in Engram under Api, and set ENGRAM_API_KEY to it.';

/** The server's message of a refusal; empty if it sent none. */
function messageIn(text: unknown): string {
  try {
    const { error } = JSON.parse(String(text)) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return '';
  }
}

/** The reason why a request failed, for the user. */
function explain(error: unknown): string {
  if (!(error instanceof SdkHttpError)) {
    // fetch throws it if the server cannot be reached.
    return error instanceof TypeError
      ? UNREACHABLE
      : `Engram's answer cannot be read: ${String(error)}`;
  }
  const { status } = error;
  const message = messageIn(error.data?.text);
  if (status === 401) return `${message || 'The API key is not valid.'} ${KEY_HINT}`;
  if (status === 404 && message === '') return NO_ENDPOINT;
  return message || `Engram answered with the status ${status}.`;
}

/**
 * Forwards requests of a program to the server, and the responses back. Only open requests are stored, because the server is stateless.
 */
export async function bridge({
  program,
  server,
  report,
}: {
  program: Transport;
  server: StreamableHTTPClientTransport;
  /** Reports an error to the user. */
  report: (message: string) => void;
}): Promise<void> {
  const waiting = new Map<RequestId, AbortController>();
  /** The request whose response contains the protocol version. */
  let initializeId: RequestId | undefined;

  const reply = (message: JSONRPCMessage): void => {
    void program.send(message).catch(() => undefined);
  };

  const refuse = (id: RequestId, sentence: string): void => {
    if (!waiting.delete(id)) return;
    report(sentence);
    reply({ jsonrpc: '2.0', id, error: { code: REFUSED, message: sentence } });
  };

  const forward = async (request: JSONRPCRequest): Promise<void> => {
    const { id } = request;
    const controller = new AbortController();
    waiting.set(id, controller);
    if (isInitializeRequest(request)) initializeId = id;
    try {
      await server.send(request, {
        requestSignal: controller.signal,
        onRequestStreamEnd: () => refuse(id, CUT_OFF),
      });
    } catch (error) {
      if (!controller.signal.aborted) refuse(id, explain(error));
    }
  };

  const cancel = (id: RequestId | undefined): void => {
    if (id === undefined) return;
    const controller = waiting.get(id);
    waiting.delete(id);
    controller?.abort();
  };

  // These are callbacks of the transports, not DOM events.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  program.onmessage = (message) => {
    if (isJSONRPCRequest(message)) void forward(message);
    // The server is stateless, so other notifications have no effect.
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      cancel(message.params?.['requestId'] as RequestId | undefined);
    }
  };

  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id === undefined || !waiting.delete(message.id)) return;
      if (isJSONRPCResultResponse(message) && message.id === initializeId) {
        const { protocolVersion } = message.result;
        if (typeof protocolVersion === 'string') server.setProtocolVersion(protocolVersion);
      }
    }
    reply(message);
  };

  const ended = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  program.onclose = () => {
    for (const controller of waiting.values()) controller.abort();
    waiting.clear();
    void server.close().finally(ended.resolve);
  };
  await server.start();
  await program.start();
  await ended.promise;
}
