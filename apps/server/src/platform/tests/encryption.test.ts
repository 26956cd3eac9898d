import { expect, test } from 'vitest';
import { createEncryption } from '../encryption.ts';

const SECRET = 'a secret of the server for tests only';
const { encrypt, decrypt } = createEncryption(SECRET, 'mailboxes');

test('a text is decrypted only with the same secret, purpose and subject', () => {
  const text = 'pässword ☃';
  const bytes = encrypt(text, 'one');
  expect(bytes.toString('latin1')).not.toContain('ssword');
  expect(encrypt(text, 'one')).not.toEqual(bytes);
  expect(decrypt(bytes, 'one')).toBe(text);
  expect(decrypt(bytes, 'two')).toBeNull();
  expect(createEncryption(SECRET, 'other').decrypt(bytes, 'one')).toBeNull();
  expect(createEncryption(`${SECRET}!`, 'mailboxes').decrypt(bytes, 'one')).toBeNull();
});

test('changed or truncated bytes are not decrypted', () => {
  const bytes = encrypt('secret', 'one');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(decrypt(changed, 'one')).toBeNull();
    expect(decrypt(bytes.subarray(0, index), 'one')).toBeNull();
  }
});
