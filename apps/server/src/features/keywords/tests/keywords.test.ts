import type { Keyword } from '@engram/contract';
import { expect, test } from 'vitest';
import { describeAccounts } from '../../auth/tests/accounts.test-setup.ts';

describeAccounts('keywords', (accounts) => {
  const signIn = async (email = 'ada@example.org') => (await accounts.server.signIn(email)).token;
  const list = async (token: string) =>
    (await accounts.server.call('GET', '/keywords', { token })).data as Keyword[];
  const add = (token: string, keyword: string) =>
    accounts.server.call('POST', `/keywords/${encodeURIComponent(keyword)}`, { token });
  const addByBody = (token: string, keyword: unknown) =>
    accounts.server.call('POST', '/keywords/add', { token, body: { keyword } });
  const setActive = (token: string, id: string, isActive: string) =>
    accounts.server.call('PUT', `/keywords/${id}/${isActive}`, { token });

  test('start with the six defaults', async () => {
    const token = await signIn();
    const answer = await accounts.server.call('GET', '/keywords', { token });
    expect(answer).toMatchObject({ status: 200, message: 'Keywords fetched successfully' });
    const keywords = answer.data as Keyword[];
    expect(keywords.map(({ keyword }) => keyword)).toEqual([
      'Personal',
      'Work',
      'Finance',
      'Health',
      'Travel',
      'Education',
    ]);
    expect(keywords.every(({ isActive, isDefault }) => isActive && isDefault)).toBe(true);

    await signIn();
    expect(await list(token)).toEqual(keywords);
  });

  test('are added by path and by body, after the defaults', async () => {
    const token = await signIn();
    expect(await add(token, 'Größe')).toMatchObject({
      status: 200,
      message: 'Keyword added successfully',
      data: {
        keyword: 'Größe',
        isActive: true,
        isDefault: false,
        createdDate: accounts.server.now().toISOString(),
        files: null,
      },
    });
    accounts.server.advance(1000);
    expect((await addByBody(token, ' add ')).data).toMatchObject({ keyword: 'add' });
    accounts.server.advance(1000);
    const form = await accounts.server.call('POST', '/keywords/2026', {
      token,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(200);
    const names = (await list(token)).map(({ keyword }) => keyword);
    expect(names.slice(6)).toEqual(['Größe', 'add', '2026']);
  });

  test.each([
    ['work', 'Work'],
    ['ÄPFEL', 'äpfel'],
    ['cafe\u0301', 'Café'],
  ])('reject %s if %s exists', async (second, first) => {
    const token = await signIn();
    await add(token, first);
    expect(await add(token, second)).toMatchObject({
      status: 409,
      code: 'keyword_exists',
      message: `You already have the keyword '${first}'.`,
    });
  });

  test('are not added if an archived one has the same name', async () => {
    const token = await signIn();
    const { id } = (await add(token, 'Garden')).data as Keyword;
    await setActive(token, id, 'false');
    expect(await add(token, 'garden')).toMatchObject({
      status: 409,
      code: 'keyword_archived',
      message: "The keyword 'Garden' is archived.",
    });
  });

  test('are added once by concurrent calls', async () => {
    const token = await signIn();
    const answers = await Promise.all(['Ärger', 'ärger', 'ÄRGER'].map((name) => add(token, name)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test.each([
    ['two words', 'A keyword can only contain letters and digits.'],
    ['a/b', 'A keyword can only contain letters and digits.'],
    ['a\u0000b', 'A keyword can only contain letters and digits.'],
    ['  ', 'A keyword needs at least one letter or digit.'],
    ['abcdefghijklmnopqrstuvwxyz', 'A keyword can have at most 25 characters.'],
  ])('reject %j', async (keyword, message) => {
    const token = await signIn();
    expect(await addByBody(token, keyword)).toMatchObject({ status: 400, message });
    expect(await list(token)).toHaveLength(6);
  });

  test('are archived and restored', async () => {
    const token = await signIn();
    const added = (await add(token, 'Garden')).data as Keyword;
    expect(await setActive(token, added.id, 'false')).toMatchObject({
      status: 200,
      message: 'Keyword updated successfully',
      data: { ...added, isActive: false },
    });
    expect((await list(token)).at(-1)).toEqual({ ...added, isActive: false });
    expect((await setActive(token, added.id, 'true')).data).toEqual(added);
    expect((await setActive(token, added.id, 'yes')).status).toBe(400);
  });

  test('cannot be archived if they are defaults', async () => {
    const token = await signIn();
    const [first] = await list(token);
    expect(await setActive(token, first?.id ?? '', 'false')).toMatchObject({
      status: 409,
      message: 'Default keywords cannot be archived.',
    });
    expect((await setActive(token, first?.id ?? '', 'true')).status).toBe(200);
  });

  test('belong to one user', async () => {
    const ada = await signIn();
    const eve = await signIn('eve@example.org');
    const { id } = (await add(ada, 'Secret')).data as Keyword;
    expect((await list(eve)).map(({ keyword }) => keyword)).not.toContain('Secret');
    expect(await setActive(eve, id, 'false')).toMatchObject({
      status: 404,
      message: 'There is no such keyword.',
    });
    expect((await add(eve, 'Secret')).status).toBe(200);
    expect((await list(ada)).at(-1)).toMatchObject({ id, isActive: true });
  });
});
