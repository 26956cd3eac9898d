import type { RemoteConnector } from '../../calls.ts';
import type { ConnectorStatus, Directory } from '../../connector.ts';

interface Calls extends RemoteConnector {
  directory(path: string | null): Promise<Directory>;
  quit(): Promise<void>;
}

/** Calls the Connector. A refused call throws an Error with its message. */
export async function ask<K extends keyof Calls>(
  name: K,
  ...args: Parameters<Calls[K]>
): Promise<Awaited<ReturnType<Calls[K]>>> {
  const response = await fetch(`api/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(args),
  }).catch(() => null);
  if (!response) throw new Error('The Connector does not respond. Is it still running?');
  if (response.status === 401) {
    throw new Error('This page belongs to an earlier start. Open it from the Connector again.');
  }
  const body: unknown = await response.json();
  if (!response.ok) throw new Error((body as { message: string }).message);
  return body as Awaited<ReturnType<Calls[K]>>;
}

/** A shorter interruption is not shown. */
const DISCONNECTED_AFTER_MS = 3000;

/**
 * Reports each change of the status, and null if the Connector does not answer any more. Returns a
 * function that ends it.
 */
export function followStatus(report: (status: ConnectorStatus | null) => void): () => void {
  const events = new EventSource('api/events');
  let disconnectTimer: ReturnType<typeof setTimeout> | undefined;
  events.addEventListener('message', ({ data }: MessageEvent<string>) => {
    clearTimeout(disconnectTimer);
    report(JSON.parse(data) as ConnectorStatus);
  });
  // The browser reconnects automatically.
  events.addEventListener('error', () => {
    clearTimeout(disconnectTimer);
    disconnectTimer = setTimeout(() => report(null), DISCONNECTED_AFTER_MS);
  });
  return () => {
    clearTimeout(disconnectTimer);
    events.close();
  };
}
