import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFileLinks } from '../artifacts.presenter.ts';

const holder = {
  userId: randomUUID(),
  sessionId: randomUUID(),
  apiKeyId: null,
  connectionId: null,
};
const artifactId = randomUUID();

function setUp() {
  const clock = { at: Date.UTC(2026, 0, 1), isAlive: true };
  const linksOf = (secret: string) =>
    createFileLinks({ secret, isAlive: async () => clock.isAlive, now: () => new Date(clock.at) });
  const links = linksOf('s'.repeat(32));
  const token = links.sign(holder, artifactId).path.replace('/v1/files/', '');
  return { clock, links, linksOf, token };
}

test('a link opens one file for 15 minutes while its session exists', async () => {
  const { clock, links, token } = setUp();
  clock.at += 15 * 60_000;
  expect(await links.open(token)).toEqual({ holder, opened: [artifactId, 'original'] });
  clock.isAlive = false;
  expect(await links.open(token)).toBe('expired');
  clock.isAlive = true;
  clock.at += 1;
  expect(await links.open(token)).toBe('expired');
});

test('a link to the thumbnail does not open the file', async () => {
  const { links } = setUp();
  const token = links.sign(holder, artifactId, 'thumbnail').path.replace('/v1/files/', '');
  expect(await links.open(token)).toEqual({ holder, opened: [artifactId, 'thumbnail'] });
});

test('a changed or forged link opens nothing', async () => {
  const { links, linksOf, token } = setUp();
  expect(await linksOf('t'.repeat(32)).open(token)).toBeNull();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(token.length - 1),
      fc.constantFrom('A', 'b', '.', '0', '-'),
      async (index, letter) => {
        const changed = token.slice(0, index) + letter + token.slice(index + 1);
        fc.pre(changed !== token);
        expect(await links.open(changed)).toBeNull();
      },
    ),
  );
  // Other encodings of the same bytes.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1];
  for (const same of [`${token.slice(0, -1)}${twin}`, `${token}=`, `${token}.`, `${token}.x`]) {
    expect(await links.open(same)).toBeNull();
  }
  expect(await links.open('')).toBeNull();
  expect(await links.open('x.y')).toBeNull();
});
