import { type Artifact, health, listArtifacts, uploadArtifacts } from '@engram/contract';
import { afterEach, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../../tests/app.test-setup.ts';

let engram: TestApp;

afterEach(() => engram.close());

/** A text that needs more memory than a process may have before its first line is read. */
const poison = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.alloc(220_000_000, 'The lighthouse stands on the rock.\n'));

test.runIf(process.platform === 'linux')(
  'one file among 200 that crashes its process fails alone',
  async () => {
    engram = await buildTestApp({ env: { ENGRAM_WORKER_MEMORY_MB: '400' } });
    const ann = await engram.signIn('ann@example.org');
    const files = Array.from({ length: 199 }, (_, i) => ({
      name: `note ${i}.txt`,
      content: new Blob([`Note number ${i} is about the lighthouse of ${1500 + i}.`]),
    }));
    files.splice(100, 0, { name: 'poison.txt', content: new Blob([poison()]) });
    const { data } = await ann.client.upload(uploadArtifacts, files, {});
    expect(data.rejected).toEqual([]);
    await engram.settled();

    const { data: artifacts } = await ann.client.call(listArtifacts, {});
    const byName = new Map(artifacts.map((artifact) => [artifact.artifactFileName, artifact]));
    expect(byName.get('poison.txt')).toMatchObject({
      uploadStatus: 'FAILED',
      statusReason: 'Reading this file took too much memory and was stopped.',
      isVectorReady: false,
    } satisfies Partial<Artifact>);
    byName.delete('poison.txt');
    expect([...byName.values()].filter(({ isVectorReady }) => !isVectorReady)).toEqual([]);
    expect(byName.size).toBe(199);
    expect((await engram.anonymous.call(health, {})).data.status).toBe('ok');
  },
);
