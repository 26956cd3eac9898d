import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileNotFoundError, type FileStore } from '../files.ts';

/** Tests that every driver of the file store has to pass. */
export function describeFileStore(
  driver: string,
  create: () => Promise<{ store: FileStore; dispose: () => Promise<void> }>,
): void {
  describe(`file store: ${driver}`, () => {
    let store: FileStore;
    let dispose: () => Promise<void>;
    const user = randomUUID();
    const artifact = randomUUID();
    const key = `${user}/${artifact}/original`;

    beforeEach(async () => {
      ({ store, dispose } = await create());
    });
    afterEach(() => dispose());

    const put = (path: string, content: string) => store.write(path, Readable.from([content]));

    it('a file is returned with its bytes, size and hash', async () => {
      const bytes = randomBytes(300_000);
      const chunks = [bytes.subarray(0, 1), bytes.subarray(1, 200_000), bytes.subarray(200_000)];
      const stored = await store.write(key, Readable.from(chunks));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(stored).toEqual({ size: 300_000, sha256 });
      expect(await buffer(await store.read(key))).toEqual(bytes);
      const { size, changedAt } = await store.stat(key);
      expect(size).toBe(300_000);
      expect(Math.abs(changedAt.getTime() - Date.now())).toBeLessThan(3_600_000);
      expect(await store.withLocalFiles([key], ([path = '']) => readFile(path))).toEqual(bytes);
    });

    it('an empty file is stored', async () => {
      expect((await store.write(key, Readable.from([]))).size).toBe(0);
      expect(await text(await store.read(key))).toBe('');
    });

    it.each([
      [{ start: 2, end: 4 }, '234'],
      [{ start: 7 }, '789'],
      [{ end: 0 }, '0'],
      [{ start: 8, end: 99 }, '89'],
      [{ start: 10 }, ''],
    ])('the range %j is read', async (range, expected) => {
      await put(key, '0123456789');
      expect(await text(await store.read(key, range))).toBe(expected);
    });

    it('a file is replaced under the same key', async () => {
      await put(key, 'first and longer');
      await put(key, 'second');
      expect(await text(await store.read(key))).toBe('second');
    });

    it('a failed write leaves nothing behind, and the earlier content stays', async () => {
      async function* failing() {
        yield Buffer.from('half');
        throw new Error('The connection was lost.');
      }
      await expect(store.write(key, Readable.from(failing()))).rejects.toThrow(
        'connection was lost',
      );
      await expect(store.stat(key)).rejects.toBeInstanceOf(FileNotFoundError);
      expect(await store.list(`${user}/`)).toEqual([]);
      await put(key, 'whole');
      await expect(store.write(key, Readable.from(failing()))).rejects.toThrow(
        'connection was lost',
      );
      expect(await text(await store.read(key))).toBe('whole');
    });

    it('a destroyed stream leaves nothing behind', async () => {
      const stream = new Readable({ read: () => undefined });
      stream.push('half');
      const written = store.write(key, stream);
      stream.destroy();
      await expect(written).rejects.toBeInstanceOf(Error);
      expect(await store.list(`${user}/`)).toEqual([]);
    });

    it('missing files are reported', async () => {
      const use = (requested: string) => store.withLocalFiles([requested], async () => undefined);
      for (const ask of [store.read, store.stat, use]) {
        await expect(ask(key)).rejects.toBeInstanceOf(FileNotFoundError);
      }
      await store.remove(key);
      await store.removePrefix(`${user}/`);
      expect(await store.list(`${user}/`)).toEqual([]);
    });

    it('one file, or all files below a prefix, are removed, and nothing else', async () => {
      const thumbnail = `${user}/${artifact}/thumbnails/1.png`;
      const other = `${user}/${randomUUID()}/original`;
      const stranger = `${randomUUID()}/${artifact}/original`;
      for (const path of [key, thumbnail, other, stranger]) await put(path, path);
      await store.remove(key);
      expect(await store.list(`${user}/`)).toEqual([thumbnail, other].sort());
      await put(key, 'again');
      await store.removePrefix(`${user}/${artifact}`);
      expect(await store.list(`${user}/`)).toEqual([other]);
      expect(await text(await store.read(stranger))).toBe(stranger);
    });

    it('the users with stored files are listed', async () => {
      const other = randomUUID();
      await put(key, 'a');
      await put(`${other}/portrait`, 'b');
      expect((await store.owners()).toSorted()).toEqual([user, other].toSorted());
    });

    it.each([
      '',
      'original',
      `${user}`,
      `${user}/`,
      `${user}/../original`,
      `${user}/${artifact}/../../x`,
      `${user}/${artifact}/.hidden`,
      `${user}/${artifact}//original`,
      `${user}/${artifact}/a\\b`,
      `${user}/${artifact}/a\0b`,
      `/${user}/${artifact}/original`,
      `${user}/${artifact}/original\n`,
      `${user.toUpperCase()}G/${artifact}/original`,
    ])('the key %j is refused', async (bad) => {
      await expect(put(bad, 'x')).rejects.toBeInstanceOf(TypeError);
      await expect(store.read(bad)).rejects.toBeInstanceOf(TypeError);
      await expect(store.remove(bad)).rejects.toBeInstanceOf(TypeError);
    });

    it('everything below the empty prefix is listed, and cannot be removed', async () => {
      const stranger = `${randomUUID()}/${artifact}/original`;
      for (const path of [key, stranger]) await put(path, path);
      expect(await store.list('')).toEqual([key, stranger].sort());
      await expect(store.removePrefix('')).rejects.toBeInstanceOf(TypeError);
      expect(await store.list('')).toEqual([key, stranger].sort());
    });

    it.each(['/', '../', user.slice(1), `${user}/../`, `${user}/./`, `${user}//`])(
      'the prefix %j is refused',
      async (bad) => {
        await expect(store.removePrefix(bad)).rejects.toBeInstanceOf(TypeError);
        await expect(store.list(bad)).rejects.toBeInstanceOf(TypeError);
      },
    );
  });
}
