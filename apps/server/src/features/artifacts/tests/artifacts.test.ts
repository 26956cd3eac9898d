import {
  type Artifact,
  deleteArtifact,
  getArtifactSegments,
  getArtifactText,
  listArtifacts,
  listKeywords,
  retryArtifact,
  search,
  searchReady,
  setArtifactArchived,
  signArtifact,
  uploadArtifacts,
} from '@engram/contract';
import type { UploadFile } from '@engram/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

describe.each(testDatabases)('artifacts (%s)', (database) => {
  const engram = useTestApp({ env: { ENGRAM_UPLOAD_LIMIT_MB: '3' }, database });
  let ann: SignedInUser;
  let bob: SignedInUser;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    bob = await engram.signIn('bob@example.org');
  });

  const file = (name: string, content: string | Uint8Array<ArrayBuffer>): UploadFile => ({
    name,
    content: new Blob([content]),
  });

  async function upload(
    user: SignedInUser,
    files: UploadFile[],
    fields: { artifactText?: string; keywords?: string; filesKeywords?: string } = {},
  ) {
    const { data, message } = await user.client.upload(uploadArtifacts, files, fields);
    return { ...data, message };
  }

  async function find(user: SignedInUser, artifactId: string): Promise<Artifact | undefined> {
    const { data } = await user.client.call(listArtifacts, {});
    return data.find((artifact) => artifact.artifactId === artifactId);
  }

  /** Files that a search finds by a word or keyword. */
  async function filesFoundBy(word: string): Promise<string[]> {
    const { data } = await ann.client.call(search, { body: { text: word, audio: false } });
    return data.similar_vectors.map(({ artifactId }) => artifactId);
  }

  const failure = { status: expect.any(Number) as number };

  describe('uploading', () => {
    test('a file becomes searchable, with its keywords', async () => {
      const result = await upload(ann, [file('lease.txt', 'The deposit is 2,340 euros.')], {
        keywords: '["Home"]',
        filesKeywords: '{"lease.txt": ["Lease"]}',
      });
      expect(result.message).toBe('Upload successful.');
      expect(result.rejected).toEqual([]);
      await engram.settled();
      expect(await find(ann, result.artifacts[0]?.artifactId ?? '')).toMatchObject({
        artifactFileName: 'lease.txt',
        artifactFileType: 'text/plain',
        uploadStatus: 'SUCCESS',
        isVectorReady: true,
        statusReason: null,
        progress: 100,
        keywords: ['Home', 'Lease'],
        source: 'Web',
        artifactText: 'The deposit is 2,340 euros.',
      });
      expect((await ann.client.call(searchReady, {})).data).toBe(true);
    });

    test('typed text becomes an artifact', async () => {
      const result = await upload(ann, [], { artifactText: 'The boiler was serviced in May.' });
      await engram.settled();
      expect(await find(ann, result.artifacts[0]?.artifactId ?? '')).toMatchObject({
        artifactFileName: 'The boiler was serviced in May.txt',
        source: 'Text',
        isVectorReady: true,
      });
    });

    test('the same bytes are one artifact, and the keywords are merged', async () => {
      const first = await upload(ann, [file('a.txt', 'Same bytes.')], { keywords: '["One"]' });
      const duplicate = await upload(ann, [file('b.txt', 'Same bytes.')], { keywords: '["Two"]' });
      expect(duplicate.artifacts[0]).toMatchObject({
        artifactId: first.artifacts[0]?.artifactId,
        duplicate: true,
      });
      await engram.settled();
      const stored = await find(ann, first.artifacts[0]?.artifactId ?? '');
      expect(stored?.keywords.toSorted()).toEqual(['One', 'Two']);
      // Keywords ignore case, and new ones are added to the user's list.
      await upload(ann, [file('c.txt', 'Same bytes.')], { keywords: '["one", "Three"]' });
      await engram.settled();
      expect((await find(ann, stored?.artifactId ?? ''))?.keywords.toSorted()).toEqual([
        'One',
        'Three',
        'Two',
      ]);
      const { data: list } = await ann.client.call(listKeywords, {});
      expect(list.map(({ keyword }) => keyword)).toEqual(
        expect.arrayContaining(['One', 'Two', 'Three']),
      );
      expect(await filesFoundBy('Three')).toEqual([stored?.artifactId]);
      // Bob's copy is a separate file.
      const other = await upload(bob, [file('a.txt', 'Same bytes.')]);
      expect(other.artifacts[0]?.duplicate).toBe(false);
    });

    test('bad files do not affect good ones in the same upload', async () => {
      const good = Array.from({ length: 9 }, (_, i) => file(`n${i}.txt`, `Note number ${i}.`));
      const result = await upload(ann, [
        ...good.slice(0, 4),
        file('evil.jpg', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0])),
        ...good.slice(4),
        file('logo.svg', '<svg onload="alert(1)"/>'),
        file('logo.html', '<?xml version="1.0"?>\n<svg onload="alert(1)"/>'),
      ]);
      expect(result.artifacts).toHaveLength(9);
      expect(result.rejected).toEqual(
        ['evil.jpg', 'logo.svg', 'logo.html'].map((fileName) => ({
          fileName,
          code: 'type_not_supported',
          message: `File type not supported: ${fileName}`,
        })),
      );
    });

    test.each([
      ['nothing at all', [], {}, 400, 'Please upload at least one file or provide artifact text.'],
      ['an empty file', [file('e.txt', '')], {}, 400, 'This file is empty: e.txt'],
      [
        'a file above the limit',
        [file('big.txt', 'x'.repeat(3 * 1_048_576 + 1))],
        {},
        413,
        'File too large: big.txt exceeds 3MB.',
      ],
      [
        'an image above its own limit',
        [file('big.gif', `GIF89a${'\0'.repeat(2 * 1_048_576)}`)],
        {},
        413,
        'File too large: big.gif exceeds 2MB.',
      ],
      [
        'more than 500 words',
        [],
        { artifactText: 'word '.repeat(501) },
        400,
        'Maximum word limit reached of 500 words',
      ],
      [
        'a keyword of 26 letters',
        [file('k.txt', 'text for a keyword')],
        { keywords: JSON.stringify(['a'.repeat(26)]) },
        400,
        'A keyword can have at most 25 characters.',
      ],
      [
        'keywords that are not JSON',
        [file('j.txt', 'text for json')],
        { keywords: 'Home' },
        400,
        'The field keywords must be JSON.',
      ],
    ] as const)('%s is rejected', async (_, files, fields, status, message) => {
      await expect(upload(ann, [...files], fields)).rejects.toMatchObject({ status, message });
    });

    test('a rejected upload stores nothing', async () => {
      const before = await engram.deps.files.list(ann.userId);
      await expect(
        upload(ann, [file('left.txt', 'left over?')], { keywords: 'no json' }),
      ).rejects.toMatchObject(failure);
      expect(await engram.deps.files.list(ann.userId)).toEqual(before);
    });

    test('an incomplete form is rejected and stores nothing', async () => {
      const before = await engram.deps.files.list(ann.userId);
      const body = [
        '--b',
        'Content-Disposition: form-data; name="files"; filename="cut.txt"',
        '',
        'half of a fi',
      ].join('\r\n');
      const response = await fetch(`${engram.baseUrl}/artifacts/upload`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ann.token}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
        body,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'broken_upload' });
      expect(await engram.deps.files.list(ann.userId)).toEqual(before);
    });

    test('a storage failure is not reported as an invalid form', async () => {
      const { files } = engram.deps;
      const originalWrite = files.write;
      const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      for (const error of [reset, new Error('Connection terminated unexpectedly')]) {
        files.write = () => Promise.reject(error);
        for (const size of [10, 100_000]) {
          const uploading = upload(ann, [file('kept.txt', 'so'.repeat(size))]);
          await expect(uploading).rejects.toMatchObject({ status: 503, code: 'unavailable' });
        }
      }
      files.write = originalWrite;
    });

    test('a path in a file name is removed', async () => {
      const result = await upload(ann, [file('../../../etc/passwd.txt', 'a harmless note')]);
      expect(result.artifacts[0]?.fileName).toBe('passwd.txt');
    });

    test('files without text are stored with a status reason', async () => {
      const png = new Uint8Array(
        Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        ),
      );
      const result = await upload(ann, [file('Sunset over Porto.png', png)]);
      await engram.settled();
      expect(await find(ann, result.artifacts[0]?.artifactId ?? '')).toMatchObject({
        uploadStatus: 'SUCCESS',
        isVectorReady: false,
        statusReason: expect.stringContaining(
          'No text was found in this picture. It can be found by its name and keywords.',
        ) as string,
      });
    });

    test('an encrypted PDF fails with a reason and can be retried', async () => {
      const pdf =
        '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R/Encrypt<</Filter/Standard/V 1/R 2/O(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)/U(bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)/P -1>>/ID[(a)(a)]>>\n%%EOF';
      const result = await upload(ann, [file('secret.pdf', pdf)]);
      const id = result.artifacts[0]?.artifactId ?? '';
      await engram.settled();
      expect(await find(ann, id)).toMatchObject({
        uploadStatus: 'FAILED',
        isVectorReady: false,
        statusReason: 'This PDF is password-protected.',
      });
      const { data } = await ann.client.call(retryArtifact, { params: { artifactId: id } });
      expect(data.uploadStatus).toBe('PENDING');
      await engram.settled();
      expect(await find(ann, id)).toMatchObject({ uploadStatus: 'FAILED' });
    });
  });

  describe('opening', () => {
    test('the bytes are sent completely, by range, and by a signed link without a token', async () => {
      const { artifacts } = await upload(ann, [file('ten.txt', '0123456789')]);
      const artifactId = artifacts[0]?.artifactId ?? '';
      const { data } = await ann.client.call(signArtifact, { params: { artifactId } });
      const url = engram.origin + data.presignedUrl;

      const whole = await fetch(url);
      expect(await whole.text()).toBe('0123456789');
      expect(whole.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
      expect(whole.headers.get('content-disposition')).toBe('inline; filename=ten.txt');

      const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        'bytes 2-4/10',
        '234',
      ]);
      const beyond = await fetch(url, { headers: { range: 'bytes=20-' } });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
      // Unknown units and invalid ranges are ignored.
      for (const range of ['items=2-4', 'bytes=two', 'bytes=0-1,4-5']) {
        const response = await fetch(url, { headers: { range } });
        expect([response.status, await response.text()]).toEqual([200, '0123456789']);
      }
      const head = await fetch(url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);

      const posted = await fetch(
        `${engram.baseUrl}/artifacts/${artifactId}/${ann.userId}/ten.txt`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${ann.token}` },
        },
      );
      expect(await posted.text()).toBe('0123456789');
      expect((await fetch(`${url.slice(0, -3)}AAA`)).status).toBe(404);
    });

    test('an uploaded web page is never shown inline', async () => {
      const { artifacts } = await upload(ann, [
        file('page.html', '<!doctype html><html><body><script>alert(1)</script>Hi</body></html>'),
      ]);
      const { data } = await ann.client.call(signArtifact, {
        params: { artifactId: artifacts[0]?.artifactId ?? '' },
      });
      const response = await fetch(engram.origin + data.presignedUrl);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/u);
    });
  });

  test("another user's file is not found by any call", async () => {
    const { artifacts } = await upload(ann, [file('private.txt', 'For Ann alone.')]);
    const artifactId = artifacts[0]?.artifactId ?? '';
    await engram.settled();
    const params = { artifactId };
    const tries = [
      bob.client.call(deleteArtifact, { params }),
      bob.client.call(signArtifact, { params }),
      bob.client.call(retryArtifact, { params }),
      bob.client.call(setArtifactArchived, { params: { artifactId, archived: 'true' } }),
      bob.client.text(getArtifactText, { params }),
      bob.client.call(getArtifactSegments, { params, query: {} }),
      bob.client.call(
        { ...deleteArtifact, method: 'POST', path: `/artifacts/{artifactId}/${ann.userId}/x` },
        { params },
      ),
      bob.client.call(
        { ...deleteArtifact, method: 'POST', path: `/artifacts/{artifactId}/${bob.userId}/x` },
        { params },
      ),
    ];
    for (const outcome of await Promise.allSettled(tries)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } });
    }
    expect(await find(ann, artifactId)).toMatchObject({ artifactArchived: false });
    expect(await find(bob, artifactId)).toBeUndefined();
  });

  test('a text of several parts is returned exactly', async () => {
    // Surrogate pairs, so that one of them is at the end of a part.
    const text = `a${'𝔘'.repeat(600_000)} and the end`;
    const { artifacts } = await upload(ann, [file('long.txt', text)]);
    await engram.settled();
    const params = { artifactId: artifacts[0]?.artifactId ?? '' };
    expect((await ann.client.text(getArtifactText, { params })) === text).toBe(true);
  });

  test('each segment of a text has its source location, also far into the file', async () => {
    const rows = Array.from({ length: 25_000 }, (_, n) => `row,${n},of the long table`);
    const { artifacts } = await upload(ann, [file('long.csv', `a,b,c\n${rows.join('\n')}`)]);
    await engram.settled();
    const params = { artifactId: artifacts[0]?.artifactId ?? '' };
    const text = await ann.client.text(getArtifactText, { params });
    const [from, to] = [700_000, 700_100];
    const { data } = await ann.client.call(getArtifactSegments, { params, query: { from, to } });
    expect(data.length).toBeGreaterThan(1);
    expect(data[0]?.start).toBeLessThanOrEqual(from);
    expect(data.at(-1)?.end).toBeGreaterThanOrEqual(to);
    for (const { start, end, location, kind } of data) {
      const number = Number(/b: (\d+)/u.exec(text.slice(start, end))?.[1]);
      expect([location, kind]).toEqual([{ sheet: 'long', row: number + 2 }, 'table']);
    }
  });
});
