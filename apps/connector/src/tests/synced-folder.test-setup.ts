import { generateApiKey, listArtifacts } from '@engram/contract';
import type { TestFolder } from '../../../../packages/folder-sync/src/tests/test-folder.test-setup.ts';
import type { SignedInUser } from '../../../server/src/tests/app.test-setup.ts';
import type { Clock } from '../clock.ts';
import { Engine, type EngineOptions } from '../engine.ts';

export { TestFolder } from '../../../../packages/folder-sync/src/tests/test-folder.test-setup.ts';

/** Records calls by their path after `/v1`, and can answer them instead of the server. */
export class Wire {
  readonly calls: string[] = [];
  /** Answers a call instead of the server, or returns null to leave it to the server. */
  intercept: (call: string, init: RequestInit | undefined) => Promise<Response> | Response | null =
    () => null;

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const call = `${init?.method ?? 'GET'} ${url.pathname.replace(/^\/v1/u, '')}`;
    this.calls.push(call);
    return (await this.intercept(call, init)) ?? fetch(input, init);
  };

  count(call: string): number {
    return this.calls.filter((other) => other === call).length;
  }

  /** The number of calls that sent bytes or moved files since the last count. */
  writes(): number {
    const writes = this.calls.filter((call) =>
      /upload|place|artifacts\/[^/]+\/(?:true|false)/u.test(call),
    );
    this.calls.length = 0;
    return writes.length;
  }
}

export const UPLOAD = 'POST /artifacts/upload';

export const keyOf = async (user: SignedInUser, name: string): Promise<string> =>
  (await user.client.call(generateApiKey, { params: { name }, body: {} })).data.apiKey;

/** A clock whose waits end immediately. */
export function skippingClock(): Clock {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      skipped += ms;
    },
  };
}

export const openEngine = (
  testFolder: TestFolder,
  wire: Wire,
  options: Partial<EngineOptions> = {},
) =>
  Engine.open({
    home: testFolder.home,
    version: '0.1.0',
    fetch: wire.fetch,
    keychain: null,
    clock: skippingClock(),
    ...options,
  });

/** The paths of a user's files in Engram. */
export async function pathsOf(user: SignedInUser, archived = false): Promise<string[]> {
  const { data } = await user.client.call(listArtifacts, {
    query: { limit: 100, archived: archived ? 'true' : 'false' },
  } as never);
  return (data as { path: string | null; artifactFileName: string }[])
    .map(({ path, artifactFileName }) => path ?? artifactFileName)
    .toSorted();
}
