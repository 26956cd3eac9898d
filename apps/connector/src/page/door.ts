import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * How a second start reaches the Connector that runs: a file that only this person can read says
 * where its page is, and holds the key with which it hands out another address.
 */
interface DoorFile {
  port: number;
  key: string;
}

/** The header that the key is in; a page of another origin cannot send it. */
export const DOOR_HEADER = 'engram-connector-key';
export const DOOR_PATH = '/open';

/** Writes the file and answers its key. */
export function writeDoor(file: string, port: number): string {
  const key = randomBytes(32).toString('base64url');
  // A file that is there keeps its mode, whatever that is.
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify({ port, key } satisfies DoorFile), { mode: 0o600 });
  return key;
}

export const removeDoor = (file: string): void => rmSync(file, { force: true });

function readDoor(file: string): DoorFile | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DoorFile;
  } catch {
    return null;
  }
}

/** How long a Connector that runs may take to answer. */
const PATIENCE_MS = 5000;

/** An address of the page of the Connector that runs; null where none does. */
export async function askForPage(file: string): Promise<string | null> {
  const door = readDoor(file);
  if (!door) return null;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const asking = request({
    host: '127.0.0.1',
    port: door.port,
    path: DOOR_PATH,
    method: 'POST',
    headers: { [DOOR_HEADER]: door.key },
    timeout: PATIENCE_MS,
  });
  asking.on('timeout', () => asking.destroy());
  asking.on('error', () => resolve(null));
  asking.on('response', (response) => {
    const isOurs = response.statusCode === 200;
    text(response).then(
      (said) => resolve(isOurs ? said : null),
      () => resolve(null),
    );
  });
  asking.end();
  return promise;
}
