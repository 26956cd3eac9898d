import { beforeAll, describe, expect, test } from 'vitest';
import type { AccountCall } from './account-calls.payments.test-setup.ts';
import { leaving, walked } from './account-calls.test-setup.ts';
import { fillLibrary, plainCalls } from './plain-calls.test-setup.ts';
import type { SignedInUser } from './app.test-setup.ts';
import { useTestApp } from './use-app.test-setup.ts';

const ADMIN = 'root@example.org';
const engram = useTestApp({ env: { ENGRAM_ADMIN_EMAILS: ADMIN } });
const calls = plainCalls(engram);
const { names } = calls;
const users: Record<string, SignedInUser> = {};

beforeAll(async () => {
  for (const name of ['ann', 'bob', 'root']) {
    const person = await engram.signIn(`${name}@example.org`);
    users[name] = person;
    Object.assign(names, { [name]: person.userId, [`${name}Email`]: person.email });
  }
  const { token } = users['ann']!;
  await fillLibrary(engram, calls, token);
  const { answer } = await calls.call('GET /subscription/active', { token });
  const plans = answer['data'] as { name: string; priceId: string }[];
  const priceOf = (name: string) => plans.find((plan) => plan.name === name)?.priceId ?? '';
  Object.assign(names, {
    pro: priceOf('Engram - Pro - monthly'),
    elite: priceOf('Engram - Elite - monthly'),
  });
});

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A response in which known values are replaced by their names. */
const named = (answer: string): Record<string, unknown> => {
  const known = Object.entries(names).filter(([, value]) => value !== '');
  const withNames = known.reduce(
    (text, [name, value]) => text.replaceAll(`"${value}"`, `"{${name}}"`),
    answer,
  );
  return JSON.parse(withNames) as Record<string, unknown>;
};

const valueAt = (data: unknown, path: string): string =>
  String(path.split('.').reduce((part, key) => (part as Record<string, unknown>)[key], data));

async function walk({
  line,
  by = 'ann',
  body,
  message = 'OK',
  data,
  list,
  keep = {},
}: AccountCall) {
  const answer = await calls.call(line, { token: users[by]?.token ?? '', body });
  expect(answer.status).toBe(200);
  expect(named(answer.text)).toEqual({ message, data, ...list });
  for (const [name, path] of Object.entries(keep)) {
    names[name] = valueAt(answer.answer['data'], path);
  }
}

describe('every call of an account, its plan and its keys', () => {
  test.each(walked)('$line returns the complete response', walk);

  test('a profile picture is returned as text, and removed', async () => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(picture, 'base64')]), 'ann.png');
    const { token } = users['ann']!;
    const photo = await calls.call('POST /user/profile/image', { token, body: form });
    expect([photo.status, photo.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    const { answer } = await calls.call('GET /user/profile', { token });
    expect(answer['data']).toMatchObject({ profileImage: photo.text });
    const removed = await calls.call('DELETE /user/profile/image', { token });
    expect(removed.answer).toMatchObject({
      message: 'Profile updated successfully!',
      data: { profileImage: null },
    });
  });

  test('an export is a zip, which another account can import', async () => {
    const { token } = users['ann']!;
    const { status, headers } = await calls.call('GET /account/export', { token });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=/u);
    const response = await fetch(`${engram.baseUrl}/account/export`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const form = new FormData();
    form.append('files', new Blob([await response.arrayBuffer()]), 'export.zip');
    const imported = await calls.call('POST /account/import', {
      token: users['bob']!.token,
      body: form,
    });
    expect([imported.status, imported.answer]).toEqual([
      200,
      {
        message: 'Imported successfully.',
        data: {
          files: { added: 0, present: 0 },
          history: { added: 0, present: 0 },
          keywords: { added: 3, present: 6 },
          profile: true,
          rejected: [],
        },
      },
    ]);
  });

  test.each(leaving)('$line returns the complete response', walk);
});
