import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  deleteAccount,
  deleteArtifact,
  signArtifact,
  listArtifacts,
  uploadArtifacts,
} from '@engram/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createTestBucket, testS3Url } from '../../platform/files/tests/s3.test-setup.ts';
import { buildTestApp } from '../../tests/app.test-setup.ts';

const PICTURE = path.join(import.meta.dirname, '../../tests/scans/mill.jpg');

test.skipIf(!testS3Url)(
  'files in a bucket are processed, shown, downloaded and deleted',
  async () => {
    const { bucket, endpoint, client: s3 } = await createTestBucket();
    onTestFinished(() => s3.destroy());
    const engram = await buildTestApp({
      env: { ENGRAM_FILES: `s3://${bucket}/engram`, AWS_ENDPOINT_URL_S3: endpoint },
    });
    onTestFinished(() => engram.close());
    const { files, services } = engram.deps;
    const ann = await engram.signIn('ann@example.org');
    const picture = await readFile(PICTURE);
    await ann.client.upload(
      uploadArtifacts,
      [
        { name: 'note.txt', content: new Blob(['The heron nests beside the mill pond.']) },
        { name: 'mill.jpg', content: new Blob([picture]) },
      ],
      {},
    );
    await engram.settled();

    const { data: listed } = await ann.client.call(listArtifacts, {});
    expect(listed.map(({ uploadStatus }) => uploadStatus)).toEqual(['SUCCESS', 'SUCCESS']);
    const mill = listed.find(({ artifactFileName }) => artifactFileName === 'mill.jpg');
    const artifactId = mill?.artifactId ?? '';
    const thumbnail = await fetch(new URL(mill?.thumbnailUrl ?? '', engram.origin));
    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    await thumbnail.body?.cancel();

    const { data: link } = await ann.client.call(signArtifact, { params: { artifactId } });
    const part = await fetch(new URL(link.presignedUrl, engram.origin), {
      headers: { range: 'bytes=100-199' },
    });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(picture.subarray(100, 200))).toBe(true);
    expect(await services.consistency.check()).toEqual([]);

    await ann.client.call(deleteArtifact, { params: { artifactId } });
    await engram.settled();
    expect(await files.list(`${ann.userId}/${artifactId}`)).toEqual([]);
    expect(await files.list(ann.userId)).toHaveLength(1);
    await ann.client.call(deleteAccount, { body: { email: ann.email } });
    await engram.settled();
    expect(await files.list('')).toEqual([]);
  },
);
