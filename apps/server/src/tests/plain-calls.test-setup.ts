import type { TestApp } from './app.test-setup.ts';

export interface SentCall {
  token?: string;
  /** A form, or a value that is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** HTTP calls without the client library. `{name}` is replaced by a recorded value. */
export function plainCalls(engram: Pick<TestApp, 'baseUrl'>) {
  const names: Record<string, string> = {};
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/gu, (placeholder, name: string) => names[name] ?? placeholder);

  /** Sends a call such as `GET /artifacts/{file}/text`. The answer is empty if it is not JSON. */
  async function call(line: string, { token, body, headers }: SentCall = {}) {
    const [method = '', path = ''] = filled(line).split(' ');
    const isForm = body instanceof FormData;
    const response = await fetch(engram.baseUrl + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : filled(JSON.stringify(body)) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const answer = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, text, answer };
  }

  /** Fields in which names are replaced by values. */
  const filledIn = (fields: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(value)]));

  return { names, call, filledIn };
}

/** A form of fields, with a file if it has a name. */
export function formOf(
  fields: Record<string, string>,
  file?: { name: string; content: string },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('files', new Blob([file.content]), file.name);
  return form;
}

/** A user's file, note, question, keyword and device, by name. */
export async function fillLibrary(
  engram: Pick<TestApp, 'settled'>,
  { names, call }: ReturnType<typeof plainCalls>,
  token: string,
): Promise<void> {
  const data = async <T>(line: string, body?: unknown) =>
    (await call(line, { token, body })).answer['data'] as T;
  const form = formOf(
    {
      filesKeywords: '{"Lease.txt": ["Home"]}',
      artifactText: 'The boiler was serviced in May.',
      keywords: '["Work"]',
    },
    { name: 'Lease.txt', content: 'The lease ends with three months notice.' },
  );
  const { artifacts } = await data<{ artifacts: { fileName: string; artifactId: string }[] }>(
    'POST /artifacts/upload',
    form,
  );
  const lease = artifacts.find(({ fileName }) => fileName === 'Lease.txt');
  await engram.settled();
  const question = await data<{ history_id: string }>('POST /search', {
    text: 'How much notice does the lease need?',
  });
  const added = await data<{ id: string }>('POST /keywords/add', { keyword: 'Cellar' });
  const device = { name: 'Home-PC', platform: 'Linux', version: '0.1.0' };
  const registered = await data<{ id: string }>('POST /devices', device);
  const [first] = await data<{ id: string }[]>('GET /keywords');
  Object.assign(names, {
    file: lease?.artifactId,
    note: artifacts.find((artifact) => artifact !== lease)?.artifactId,
    entry: question.history_id,
    keyword: added.id,
    device: registered.id,
    default: first?.id,
  });
}
