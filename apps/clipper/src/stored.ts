import type { DeviceCode, DeviceFlow, Tokens } from '@engram/client';

/** The connection with a server. It has tokens once the user has allowed it. */
export interface Connection {
  server: string;
  tokens?: Tokens;
  pairing?: { code: DeviceCode; flow: DeviceFlow };
  /** Why the last pairing failed, or why the connection ended. */
  problem?: string;
}

/** A queued item, as shown in the popup. */
export interface WaitingItem {
  id: string;
  title: string;
  error: string | null;
  /** Whether Engram has refused it. It is then sent again only on request. */
  refused: boolean;
}

/** The state that the popup shows. The background script writes it. */
export interface Stored {
  connection?: Connection;
  waiting?: WaitingItem[];
}

export const readStored = (): Promise<Stored> => chrome.storage.local.get<Stored>();

export const writeConnection = (connection: Connection): Promise<void> =>
  chrome.storage.local.set({ connection });

/** The pattern of a server's permission. Patterns have no ports. */
export function permissionFor(server: string): chrome.permissions.Permissions {
  const { protocol, hostname } = new URL(server);
  return { origins: [`${protocol}//${hostname}/*`] };
}
