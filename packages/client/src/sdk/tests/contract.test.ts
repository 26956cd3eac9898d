import { expect, test } from 'vitest';
import contract from '../../../../contract/openapi.json' with { type: 'json' };
import * as calls from '../calls.ts';
import * as sets from '../file-set-calls.ts';
import * as folder from '../folder-calls.ts';
import type { DescribedCall } from '../calls.ts';
import { readEvent } from '../events.ts';
import { Form } from '../form.ts';
import type { File } from '../models.ts';
import * as readers from '../readers.ts';
import type { Reader } from '../shape.ts';
import { VERSION } from '../version.ts';
import manifest from '../../../package.json' with { type: 'json' };

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
interface Operation {
  operationId: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const ID = '0b2f1c9e-6a53-4d5e-9f3e-111111111111';
const file = { id: ID, userId: ID, name: 'a.txt' } as File;
const question = calls.questionOf('When?');
const form = new Form({}, []);
const device = { name: 'Home-PC', platform: 'Linux', version: '1' };

/** Each call of the library, with everything that can be asked of it. */
const made: DescribedCall<unknown>[] = [
  calls.ask(question),
  calls.askStream(question, new AbortController().signal),
  calls.transcribe(form),
  calls.upload(form),
  calls.listFiles('a', {
    archived: true,
    keyword: 'a',
    folder: 'a',
    status: 'FAILED',
    sort: 'name',
    offset: 1,
    in: 'content',
    kind: 'pdf',
    source: 'Web',
    since: '2026-01-01',
    until: '2026-02-01',
  }),
  calls.listFiles('a', {}, 'cursor'),
  calls.file(ID),
  calls.rename(ID, 'Lease'),
  calls.editNote(ID, 'Three months.'),
  sets.change('tag', [ID], 'setKeywords()', ['Home']),
  sets.zip([ID]),
  calls.searchReady(),
  calls.fileText(ID),
  calls.segments(ID, 0, 9),
  calls.view(ID, { from: 0, to: 9, path: 'a' }),
  calls.words(ID, 1, 'a'),
  calls.link(ID),
  calls.openFile(file),
  calls.setArchived(ID, true),
  calls.setKeywords(ID, ['Home']),
  calls.retry(ID),
  calls.deleteFile(ID),
  calls.deleteFiles([ID]),
  calls.deleteAllFiles(),
  calls.listKeywords(true),
  calls.addKeyword('Home'),
  calls.setKeywordActive(ID, true),
  calls.listHistory('a', { archived: true, saved: true, brief: true }, 'cursor'),
  calls.listThreads('a', { archived: true, saved: true }, 'cursor'),
  calls.historyThread(ID),
  calls.todaysHistory('Europe/Berlin'),
  calls.historyEntry(ID),
  calls.updateHistory(ID, { saved: true }),
  calls.deleteHistory(),
  calls.historyAudio(ID),
  calls.suggestions(),
  calls.recommendations(),
  calls.profile(),
  folder.checkFiles([{ path: 'Papers/a.txt', sha256: 'a'.repeat(64), size: 1 }]),
  folder.placeFile(ID, { path: 'Papers/a.txt', deviceId: ID }),
  folder.registerDevice(device),
  folder.listDevices(),
  folder.endDevice(ID),
];

/** A second way to what another call does. */
const SAME_AS_ANOTHER = ['keywords.addKeyword', 'keywords.setKeywordActiveByPost'];

const operations = Object.values(contract.paths)
  .flatMap((methods) => Object.values(methods) as unknown as Operation[])
  .filter(({ security = [] }) => security.some((way) => 'apiKey' in way));

const operationOf = ({ route }: DescribedCall<unknown>): Operation => {
  const found = operations.find(({ operationId }) => operationId === route.id);
  if (!found) throw new Error(`No key opens ${route.id}.`);
  return found;
};

test('every call that a key opens is there', () => {
  const reached = new Set(made.map(({ route }) => route.id));
  const open = operations.map(({ operationId }) => operationId);
  expect([...reached, ...SAME_AS_ANOTHER].sort()).toEqual(open.sort());
});

/** A schema without what says that there are several, or none. */
function innermost(schema: Schema): Schema {
  if (schema.items) return innermost(schema.items);
  const [only, ...others] = (schema.anyOf ?? []).filter(
    ({ properties, items }) => properties ?? items,
  );
  return only && others.length === 0 ? innermost(only) : schema;
}

/** Names on the wire that a reader does not know, here and below. */
function missing(schema: Schema, reader: Reader<unknown>, at: string): string[] {
  const inner = innermost(schema);
  return [inner, ...(inner.anyOf ?? [])].flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, below]) => {
      const field = reader.fields?.get(name);
      if (!field) return [`${at}.${name}`];
      return field.fields ? missing(below, field, `${at}.${name}`) : [];
    }),
  );
}

const answered = made.flatMap((call) =>
  call.reader ? [[call.route.id, call, call.reader] as const] : [],
);

test.each(answered)('every field that %s answers is in its model', (id, call, reader) => {
  const schema = operationOf(call).responses['200']?.content?.['application/json']?.schema;
  const data = schema?.properties?.['data'];
  expect(data && missing(data, reader, id)).toEqual([]);
});

/** The second word of the API for the status of a file. */
const SAME_AS_STATUS = 'state';

test('every parameter of a list can be given, and no other is sent', () => {
  const given = Map.groupBy(made, ({ route }) => route.id);
  for (const [id, several] of given) {
    const [first] = several;
    const known = first && (operationOf(first).parameters ?? []);
    const names = (known ?? []).flatMap((one) =>
      one.in === 'query' && one.name !== SAME_AS_STATUS ? [one.name] : [],
    );
    expect([id, [...new Set(several.flatMap(({ query }) => query))].sort()]).toEqual([
      id,
      names.sort(),
    ]);
  }
});

test('the events of a stream are those of the contract', () => {
  const asked = operations.find(({ operationId }) => operationId === 'search.search');
  const told = JSON.stringify(asked?.responses['200']?.content?.['text/event-stream']);
  for (const event of ['sources', 'step', 'delta', 'done', 'error']) {
    expect(told).toContain(event);
    expect(() => readEvent(event, null)).toThrow('The answer is not as the API describes it');
  }
  expect(readEvent('later', {})).toBeNull();
});

test('a found section is read by the names that citations have', () => {
  const section = {
    n: 1,
    artifactId: ID,
    fileName: 'lease.pdf',
    path: null,
    location: { page: 2 },
    start: 40,
    end: 62,
    text: 'Three months of notice',
    highlights: [[16, 22]],
    score: 0.9,
    newer: { artifactId: ID, fileName: 'amendment.pdf' },
  };
  const sources = (found: object) =>
    readEvent('sources', { citations: [], found: [found], similar_vectors: [] });
  const { artifactId, ...others } = section;
  expect(sources(section)).toMatchObject({
    type: 'sources',
    found: [{ ...others, fileId: artifactId, newer: { fileId: ID, fileName: 'amendment.pdf' } }],
  });
  expect(() => sources({ ...section, highlights: [[16]] })).toThrow(
    'sources.found[0].highlights[0] should be two numbers',
  );
});

test('new fields are kept beside the known ones, and a place reads as one', () => {
  const place = readers.location({ page: 3, column: 2 });
  expect(place).toEqual({ page: 3, column: 2 });
  expect(`${place}`).toBe('page 3');
  expect(`${readers.location({ path: 'a.zip/b.mp3', startMs: 61_000, endMs: 62_000 })}`).toBe(
    'a.zip/b.mp3, 1:01',
  );
  expect(JSON.stringify(place)).toBe('{"column":2,"page":3}');
});

test('the version is that of the package', () => {
  expect(VERSION).toBe(manifest.version);
});
