import { deleteProfileImage, getProfile, PHOTO_LIMIT, uploadProfileImage } from '@engram/contract';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
let ann: SignedInUser;
let userCount = 0;

beforeEach(async () => {
  userCount += 1;
  ann = await engram.signIn(`ann${userCount}@example.org`);
});

const send = (bytes: Uint8Array, name = 'me.jpg') =>
  ann.client.sendFile(uploadProfileImage, { name, content: new Blob([new Uint8Array(bytes)]) });
const storedPhoto = async () => (await ann.client.call(getProfile, {})).data.profileImage;

/** A picture whose left half is red and whose right half is blue. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#00f' } },
      left: width / 2,
      top: 0,
    },
  ]);

/** A PNG that claims a size, with the given number of rows of zeros, which compress to almost nothing. */
function pngOf(width: number, height: number, rows: number): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const pixels = deflateSync(Buffer.alloc((width * 3 + 1) * rows));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('profile photos', () => {
  let jpeg: Buffer;
  beforeAll(async () => {
    jpeg = await halves(900, 600).jpeg().toBuffer();
  });

  test('a photo becomes a small upright square, without metadata', async () => {
    const turned = await halves(900, 600)
      .withExif({ IFD0: { Copyright: 'Engram secret', Orientation: '3' } })
      .withMetadata({ orientation: 3 })
      .jpeg()
      .toBuffer();
    const text = await send(turned);
    const photo = Buffer.from(text, 'base64');
    expect(await storedPhoto()).toBe(text);
    expect(await sharp(photo).metadata()).toMatchObject({
      format: 'jpeg',
      width: 256,
      height: 256,
    });
    const { exif, orientation, icc, xmp } = await sharp(photo).metadata();
    expect([exif, orientation, icc, xmp]).toEqual([undefined, undefined, undefined, undefined]);
    // Rotated by 180 degrees: blue is on the left.
    const { data } = await sharp(photo).raw().toBuffer({ resolveWithObject: true });
    const [red = 0, , blue = 0] = data.subarray((128 * 256 + 20) * 3);
    expect(blue).toBeGreaterThan(200);
    expect(red).toBeLessThan(60);
  });

  test('a photo is returned as base64, whatever its name, and PNG is accepted', async () => {
    const form = new FormData();
    form.append('note', 'ignored');
    form.append('other', new Blob(['ignored']), 'other.txt');
    form.append(
      'file',
      new Blob([new Uint8Array(await halves(30, 20).png().toBuffer())]),
      'me.pdf',
    );
    const response = await fetch(`${engram.baseUrl}/user/profile/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}` },
      body: form,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(await storedPhoto());
  });

  test('a photo is replaced by the next one, and removed', async () => {
    const first = await send(jpeg);
    const second = await send(await halves(20, 30).jpeg().toBuffer());
    expect(second).not.toBe(first);
    expect(await storedPhoto()).toBe(second);
    expect(await ann.client.call(deleteProfileImage, {})).toMatchObject({
      message: 'Profile updated successfully!',
      data: { profileImage: null },
    });
    expect(await storedPhoto()).toBeNull();
    await ann.client.call(deleteProfileImage, {});
  });

  test('a photo of 2 MB is accepted, and one more byte is not', async () => {
    const padded = (size: number) => Buffer.concat([jpeg, Buffer.alloc(size - jpeg.length)]);
    await send(padded(PHOTO_LIMIT));
    const before = await storedPhoto();
    expect(before).not.toBeNull();
    await expect(send(padded(PHOTO_LIMIT + 1))).rejects.toMatchObject({
      status: 413,
      message: 'File size exceeds 2MB. Please select a smaller image.',
    });
    await expect(send(padded(PHOTO_LIMIT * 4))).rejects.toMatchObject({ status: 413 });
    expect(await storedPhoto()).toBe(before);
  });

  test('an invalid or damaged photo or a bomb is refused safely', async () => {
    await send(jpeg);
    const before = await storedPhoto();
    const noise = sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
        background: '#000',
      },
    });
    const bad = [
      Buffer.from('%PDF-1.7'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      await halves(30, 20).webp().toBuffer(),
      await halves(30, 20).gif().toBuffer(),
      Buffer.from([0xff, 0xd8, 0xff]),
      (await noise.jpeg().toBuffer()).subarray(0, 9000),
      (await noise.png().toBuffer()).subarray(0, 90_000),
      pngOf(60_000, 60_000, 20),
      pngOf(7000, 7200, 7200),
      pngOf(5000, 5000, 20),
      Buffer.alloc(PHOTO_LIMIT + 1, 'x'),
    ];
    for (const [i, bytes] of bad.entries()) {
      // Each one is sent by a new user, because uploads are rate-limited.
      const { client } = await engram.signIn(`mallory${i}@example.org`);
      const content = new Blob([new Uint8Array(bytes)]);
      await expect(
        client.sendFile(uploadProfileImage, { name: 'me.jpg', content }),
      ).rejects.toMatchObject({
        status: 415,
        message: 'Invalid file format. Please select a JPG or PNG image.',
      });
    }
    expect(await storedPhoto()).toBe(before);
    expect(await send(jpeg)).toBe(before);
  });

  test.each<[string, () => RequestInit['body']]>([
    ['nothing', () => undefined],
    ['an empty form', () => new FormData()],
    ['an empty file', () => formWith('file', '')],
    ['a file by another name', () => formWith('photo', 'x')],
    ['fields alone', () => new URLSearchParams({ file: 'x' })],
  ])('a missing photo is reported for %s', async (_, body) => {
    const content = body();
    const response = await fetch(`${engram.baseUrl}/user/profile/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}` },
      ...(content === undefined ? {} : { body: content }),
    });
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      400,
      'Please select an image to upload.',
    ]);
  });
});

function formWith(name: string, content: string): FormData {
  const form = new FormData();
  form.append(name, new Blob([content]), 'me.jpg');
  return form;
}
