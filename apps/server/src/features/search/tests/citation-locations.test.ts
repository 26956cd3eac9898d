import { type Citation, getArtifactText, search, uploadArtifacts } from '@engram/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedInUser, type TestApp } from '../../../tests/app.test-setup.ts';
import { recordTones } from '../../../tests/tones.test-setup.ts';
import {
  startTranscriptionServer,
  type TranscriptionServer,
} from '../../../tests/transcription-server.test-setup.ts';
import { PLANTED, type PlantedText } from './planted-files.test-setup.ts';

const NAMES =
  'Aldermoor Brockhurst Calverton Dunscombe Eastbourne Fernhill Greystoke Hawksworth Inglewood Jessamine Kingsdale Langholme Merriton Northwold Oakhampton Pemberley Quarrendon Ravenscar Silverdale Thornbury Underhill Vauxley Westerham Yarborough'.split(
    ' ',
  );
const SUBJECTS = [
  'The ferry',
  'The bakery',
  'The orchestra',
  'The museum',
  'The harbour',
  'The library',
];
const VERBS = ['opened', 'repaired', 'painted', 'measured', 'counted', 'visited'];
const OBJECTS = [
  'a bridge',
  'two windows',
  'an old clock',
  'the garden wall',
  'three boats',
  'a map',
];

/** Sentences that share no words with the facts. */
const filler = fc
  .tuple(
    fc.constantFrom(...SUBJECTS),
    fc.constantFrom(...VERBS),
    fc.constantFrom(...OBJECTS),
    fc.constantFrom('in spring', 'last summer', 'before noon', 'after the storm'),
  )
  .map((words) => `${words.join(' ')}.`);

const factOf = (name: string): string =>
  `The keeper of the vault in ${name} is called Mister Corbin.`;

/** Short and long paragraphs, one of which contains the fact at its start, end or middle. */
const planted = (name: string): fc.Arbitrary<PlantedText> =>
  fc
    .record({
      paragraphs: fc.array(
        fc.oneof(
          fc.array(filler, { minLength: 1, maxLength: 3 }),
          fc.array(filler, { minLength: 40, maxLength: 60 }),
        ),
        { minLength: 12, maxLength: 24 },
      ),
      where: fc.nat(),
      inside: fc.nat(),
    })
    .map(({ paragraphs, where, inside }) => {
      const at = where % paragraphs.length;
      const texts = paragraphs.map((sentences, i) => {
        const paragraphs =
          i === at ? sentences.toSpliced(inside % sentences.length, 0, factOf(name)) : sentences;
        return paragraphs.join(' ');
      });
      return { paragraphs: texts, at };
    });

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

describe('the location of a citation', () => {
  let provider: TranscriptionServer;
  let engram: TestApp;
  let ann: SignedInUser;

  beforeAll(async () => {
    provider = await startTranscriptionServer();
    engram = await buildTestApp({
      env: { ENGRAM_TRANSCRIPTION: 'openai:whisper-1', OPENAI_BASE_URL: provider.url },
    });
    ann = await engram.signIn('ann@example.org');
  });
  afterAll(async () => {
    await engram.close();
    await provider.close();
  });

  async function upload(name: string, content: Uint8Array | string): Promise<string> {
    const file = { name, content: new Blob([content as Uint8Array<ArrayBuffer> | string]) };
    const { data } = await ann.client.upload(uploadArtifacts, [file], {});
    return data.artifacts[0]?.artifactId ?? '';
  }

  const textOf = (artifactId: string): Promise<string> =>
    ann.client.text(getArtifactText, { params: { artifactId } });

  async function citationOf(name: string, artifactId: string): Promise<Citation> {
    const text = `What is the keeper of the vault in ${name} called?`;
    const body = { text, audio: false, artifactIds: [artifactId] };
    const { data } = await ann.client.call(search, { body });
    const passages = [...data.citations, ...data.nearest];
    // Only the beginning of a long row is quoted.
    const cited = passages.find(({ quote }) => quote.includes(name)) ?? passages[0];
    if (cited === undefined) throw new Error(`Nothing was cited: ${JSON.stringify(data)}`);
    expect((await textOf(artifactId)).slice(cited.start, cited.end)).toBe(cited.quote);
    return cited;
  }

  test('is that of the quoted sentence, in every type of file', async () => {
    const types = Object.entries(PLANTED);
    const files = await Promise.all(
      types.map(async ([type, make], i) => {
        const name = NAMES[i] ?? '';
        const [text] = fc.sample(planted(name), { numRuns: 1, seed: 20 + i });
        const { content, location } = make(text as PlantedText);
        return { type, name, location, id: await upload(`${type}-notes.${type}`, content) };
      }),
    );
    await engram.settled();
    for (const { type, name, location, id } of files) {
      const cited = await citationOf(name, id);
      const expected = location ?? { line: lineAt(await textOf(id), cited.start) };
      expect({ type, ...cited.location }).toMatchObject({ type, ...expected });
    }
  });

  test('is exact in a long text with characters of two code units', async () => {
    const lines = Array.from(
      { length: 42_000 },
      (_, i) => `${i % 2 ? '😀' : '🙂🙂'} Note ${i}: tea`,
    );
    const index = lines.length - 700;
    lines[index] = factOf('Zennor');
    const id = await upload('long.txt', lines.join('\n'));
    await engram.settled();
    expect((await citationOf('Zennor', id)).location).toEqual({ line: index + 1 });
  });

  test('is the time of the quoted sentence, even in a long recording', async () => {
    const name = NAMES.at(-1) ?? '';
    const sentences = fc.sample(filler, { numRuns: 14, seed: 7 }).toSpliced(9, 0, factOf(name));
    const segments = sentences.map((text, i) => ({
      start: i * 2,
      end: i * 2 + 2,
      text: ` ${text}`,
    }));
    provider.behave({ kind: 'segments', segments });
    const id = await upload('talk.wav', recordTones([{ hertz: 440, seconds: 30 }]));
    await engram.settled();
    const cited = await citationOf(name, id);
    const first = sentences.findIndex((text, i) => i >= 8 && cited.quote.startsWith(text));
    const last = sentences.findLastIndex((text, i) => i <= 11 && cited.quote.endsWith(text));
    expect(first).toBeGreaterThan(7);
    expect(cited.location).toEqual({ startMs: first * 2000, endMs: (last + 1) * 2000 });
  });
});
