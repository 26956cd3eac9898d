import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { explain } from './explain.ts';

export interface BridgeOptions {
  program: Transport;
  server: StreamableHTTPClientTransport;
  /** Says to a person why something did not work. */
  tell: (sentence: string) => void;
}

/** JSON-RPC's code for what a server refuses for reasons of its own. */
const REFUSED = -32_000;

const CUT_OFF = 'Engram ended the connection before it had answered. Please try again.';

/**
 * Forwards requests of a program to the server, and the responses back. Only open requests are
 * kept, because the server is stateless.
 */
export async function bridge({ program, server, tell }: BridgeOptions): Promise<void> {
  const waiting = new Map<RequestId, AbortController>();
  /** The request whose answer says which version both speak. */
  let opening: RequestId | undefined;

  const reply = (message: JSONRPCMessage): void => {
    void program.send(message).catch(() => undefined);
  };

  const refuse = (id: RequestId, sentence: string): void => {
    if (!waiting.delete(id)) return;
    tell(sentence);
    reply({ jsonrpc: '2.0', id, error: { code: REFUSED, message: sentence } });
  };

  const forward = async (request: JSONRPCRequest): Promise<void> => {
    const { id } = request;
    const gone = new AbortController();
    waiting.set(id, gone);
    if (isInitializeRequest(request)) opening = id;
    try {
      await server.send(request, {
        requestSignal: gone.signal,
        onRequestStreamEnd: () => refuse(id, CUT_OFF),
      });
    } catch (error) {
      if (!gone.signal.aborted) refuse(id, explain(error));
    }
  };

  const cancel = (id: RequestId | undefined): void => {
    if (id === undefined) return;
    const gone = waiting.get(id);
    waiting.delete(id);
    gone?.abort();
  };

  // What both transports call back has these names, and is no event of a page.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  program.onmessage = (message) => {
    if (isJSONRPCRequest(message)) void forward(message);
    // There is nobody at the other end who would remember any other notification.
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      cancel(message.params?.['requestId'] as RequestId | undefined);
    }
  };

  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id === undefined || !waiting.delete(message.id)) return;
      if (isJSONRPCResultResponse(message) && message.id === opening) {
        const { protocolVersion } = message.result;
        if (typeof protocolVersion === 'string') server.setProtocolVersion(protocolVersion);
      }
    }
    reply(message);
  };

  const ended = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  program.onclose = () => {
    for (const gone of waiting.values()) gone.abort();
    waiting.clear();
    void server.close().finally(ended.resolve);
  };
  await server.start();
  await program.start();
  await ended.promise;
}
