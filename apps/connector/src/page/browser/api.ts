import type { ConnectorStatus, FolderSettings, Preview } from '../../connector.ts';
import type { Directory } from '../directory.ts';

interface Calls {
  pair: [{ server: string; key?: string }, null];
  directory: [{ path: string | null }, Directory];
  preview: [{ root: string }, Preview];
  'add-folder': [{ root: string; settings: Partial<FolderSettings> }, number];
  'change-folder': [{ id: number; settings: Partial<FolderSettings> }, null];
  'remove-folder': [{ id: number }, null];
  'answer-archive': [{ id: number; archive: boolean }, null];
  'change-settings': [Partial<ConnectorStatus['settings']>, null];
  pause: [Record<string, never>, null];
  resume: [Record<string, never>, null];
  sync: [Record<string, never>, null];
  quit: [Record<string, never>, null];
  uninstall: [Record<string, never>, null];
}

/** Asks the Connector for something; its refusal is an Error with its sentence. */
export async function ask<K extends keyof Calls>(name: K, body: Calls[K][0]): Promise<Calls[K][1]> {
  const response = await fetch(`api/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!response) throw new Error('The Connector does not answer. Is it still running?');
  if (response.status === 401) {
    throw new Error('This page is of an earlier start. Open it from the Connector again.');
  }
  const said: unknown = await response.json();
  if (!response.ok) throw new Error((said as { message: string }).message);
  return said as Calls[K][1];
}

/** Hears of every change, and of the Connector's coming and going. */
export function follow(heard: (status: ConnectorStatus | null) => void): { stop: () => void } {
  const events = new EventSource('api/events');
  events.addEventListener('message', ({ data }: MessageEvent<string>) => {
    heard(JSON.parse(data) as ConnectorStatus);
  });
  // The browser tries again by itself.
  events.addEventListener('error', () => heard(null));
  return { stop: () => events.close() };
}
