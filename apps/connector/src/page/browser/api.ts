import type { RemoteConnector } from '../../calls.ts';
import type { ConnectorStatus } from '../../connector.ts';
import type { Directory } from '../directory.ts';

interface Calls extends RemoteConnector {
  directory(path: string | null): Promise<Directory>;
  quit(): Promise<void>;
}

/** Calls the Connector. A refusal is an Error with its sentence. */
export async function ask<K extends keyof Calls>(
  name: K,
  ...args: Parameters<Calls[K]>
): Promise<Awaited<ReturnType<Calls[K]>>> {
  const response = await fetch(`api/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(args),
  }).catch(() => null);
  if (!response) throw new Error('The Connector does not answer. Is it still running?');
  if (response.status === 401) {
    throw new Error('This page is of an earlier start. Open it from the Connector again.');
  }
  const said: unknown = await response.json();
  if (!response.ok) throw new Error((said as { message: string }).message);
  return said as Awaited<ReturnType<Calls[K]>>;
}

/** Calls back on every change, and with null while the Connector does not answer. */
export function follow(heard: (status: ConnectorStatus | null) => void): { stop: () => void } {
  const events = new EventSource('api/events');
  events.addEventListener('message', ({ data }: MessageEvent<string>) => {
    heard(JSON.parse(data) as ConnectorStatus);
  });
  // The browser reconnects automatically.
  events.addEventListener('error', () => heard(null));
  return { stop: () => events.close() };
}
