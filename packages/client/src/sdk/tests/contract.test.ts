import { routes } from '@engram/contract';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { readEvent } from '../answer-stream.ts';
import { shapes } from '../api.ts';
import { Engram } from '../engram.ts';
import { VERSION } from '../settings.ts';
import { createReader, type Schema } from '../shape.ts';

const ID = '0b2f1c9e-6a53-4d5e-9f3e-111111111111';
const read = createReader(shapes);

/** Routes that do the same as another one. */
const SAME_AS_ANOTHER = ['keywords.addKeyword', 'keywords.setKeywordActiveByPost'];

test('every route that accepts an API key has a name in the SDKs, and no other route has', () => {
  const open = routes.filter(({ apiKey }) => apiKey).map(({ id }) => id);
  const named = routes.filter(({ sdk }) => sdk).map(({ id }) => id);
  expect([...named, ...SAME_AS_ANOTHER].toSorted()).toEqual(open.toSorted());
});

test('every name of the contract is a method of the client', () => {
  const engram = new Engram({ baseUrl: 'http://localhost:1', apiKey: 'eg_test' });
  const names = routes.flatMap(({ sdk = {} }) => Object.keys(sdk));
  const missing = names.filter((name) => {
    const method = name
      .split('.')
      .reduce<unknown>((object, key) => (object as Record<string, unknown>)[key], engram);
    return typeof method !== 'function';
  });
  expect(missing).toEqual([]);
});

test('the events of a stream are those of the contract', () => {
  const events = routes.find(({ id }) => id === 'search.search')?.events ?? {};
  expect(Object.keys(events).toSorted()).toEqual(['delta', 'done', 'error', 'sources', 'step']);
  for (const event of Object.keys(events)) {
    expect(() => readEvent(read, event, null)).toThrow('The response does not match the API');
  }
  expect(readEvent(read, 'later', {})).toBeNull();
});

test('a response is validated including nested fields', () => {
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
  const sources = (result: object) =>
    readEvent(read, 'sources', {
      history_id: ID,
      citations: [],
      found: [result],
      similar_vectors: [],
    });
  const { artifactId: fileId, newer, ...others } = section;
  expect(sources(section)).toMatchObject({
    type: 'sources',
    id: ID,
    found: [{ ...others, fileId, newer: { fileId: newer.artifactId, fileName: newer.fileName } }],
  });
  expect(() => sources({ ...section, highlights: [[16]] })).toThrow(
    'sources.found[0].highlights[0] should be a list of 2',
  );
  expect(() => sources({ ...section, newer: undefined })).toThrow('found[0].newer should be');
});

test('unknown fields are preserved, times are Dates, and a location has a text form', () => {
  const location = (value: object) => read({ $ref: 'Location' }, value) as object;
  const page = location({ page: 3, column: 2 });
  expect(page).toEqual({ page: 3, column: 2 });
  expect(`${page as { toString: () => string }}`).toBe('page 3');
  expect(JSON.stringify(page)).toBe('{"page":3,"column":2}');
  const recording = location({ path: 'a.zip/b.mp3', startMs: 61_000, endMs: 62_000 });
  expect(String(recording)).toBe('a.zip/b.mp3, 1:01');
  const time = { type: 'string', format: 'date-time' };
  expect(read(time, '2026-01-02T03:04:05Z')).toEqual(new Date('2026-01-02T03:04:05Z'));
  expect(() => read(time, 'soon')).toThrow('data should be a time');
});

test('a type has its derived fields, which no field of the server replaces', () => {
  const entry = {
    history_id: ID,
    text: 'How much notice?',
    question: 'A field of a later server.',
    answers: ['Three months.'],
  };
  const shape: Schema = {
    type: 'object',
    properties: {
      id: { type: 'string', wire: 'history_id' },
      question: { type: 'string', wire: 'text' },
      answers: { type: 'array', items: { type: 'string' } },
    },
    required: ['id', 'question', 'answers'],
  };
  const read = createReader({ Answer: shape });
  expect(read({ $ref: 'Answer' }, entry)).toEqual({
    id: ID,
    question: 'How much notice?',
    answers: ['Three months.'],
    text: 'Three months.',
  });
});

test('the version is that of the package', () => {
  expect(VERSION).toBe(manifest.version);
});
