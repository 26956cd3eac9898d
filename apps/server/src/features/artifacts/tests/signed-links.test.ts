import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSignedLinks } from '../signed-links.ts';

const userId = randomUUID();
const artifactId = randomUUID();

function setUp() {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const links = createSignedLinks('s'.repeat(32), () => new Date(clock.at));
  const token = links.sign(userId, artifactId).path.replace('/v1/files/', '');
  return { clock, links, token };
}

test('a link opens its one file for 15 minutes', () => {
  const { clock, links, token } = setUp();
  clock.at += 15 * 60_000;
  expect(links.open(token)).toEqual({ userId, artifactId, part: 'original' });
  clock.at += 1;
  expect(links.open(token)).toBe('expired');
});

test('a link to the small picture opens that and not the file', () => {
  const { links } = setUp();
  const token = links.sign(userId, artifactId, 'thumbnail').path.replace('/v1/files/', '');
  expect(links.open(token)).toEqual({ userId, artifactId, part: 'thumbnail' });
});

test('a link that was changed in any way, or signed by somebody else, opens nothing', () => {
  const { links, token } = setUp();
  const other = createSignedLinks('t'.repeat(32), () => new Date(Date.UTC(2026, 0, 1)));
  expect(other.open(token)).toBeNull();
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom('A', 'b', '.', '0', '-'),
      (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        fc.pre(changed !== token);
        expect(links.open(changed)).toBeNull();
      },
    ),
  );
  // Other ways to write the very same bytes.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1];
  for (const same of [`${token.slice(0, -1)}${twin}`, `${token}=`, `${token}.`, `${token}.x`]) {
    expect(links.open(same)).toBeNull();
  }
  expect(links.open('')).toBeNull();
  expect(links.open('x.y')).toBeNull();
});
