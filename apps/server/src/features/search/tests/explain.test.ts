import { getArtifactText, search, uploadArtifacts } from '@engram/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const paragraph = (subject: string, count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `In section ${i} the ${subject} is described for the crew of the ferry.`,
  ).join(' ');

/** Far more than an explanation may answer, all of it on the subject. */
const files: Record<string, string> = {
  'engine.txt': [1, 2, 3, 4, 5, 6, 7, 8]
    .map((part) => `${paragraph('engine', 12)} The oil of engine ${part} is changed in May.`)
    .join('\n\n'),
  'deck.txt': `${paragraph('deck', 40)}\n\nÖl für die Maschine 🛢️ — the engine oil is kept below deck.`,
};

const engram = useTestApp();

test('an explanation answers the passages that hold the answer, letter for letter, within its bounds', async () => {
  const ann = await engram.signIn('ann@example.org');
  const { data: uploaded } = await ann.client.upload(
    uploadArtifacts,
    Object.entries(files).map(([name, text]) => ({ name, content: new Blob([text]) })),
    {},
  );
  await engram.settled();
  const names = new Map(uploaded.artifacts.map((file) => [file.artifactId, file.fileName]));

  const body = { text: 'Where is the engine oil kept?', audio: false, explain: true };
  const { data } = await ann.client.call(search, { body });
  const passages = data.explain?.passages ?? [];

  expect(passages.length).toBeGreaterThan(0);
  expect(passages.length).toBeLessThanOrEqual(5);
  const length = passages.reduce((sum, { start, end }) => sum + end - start, 0);
  expect(length).toBeGreaterThan(4000);
  expect(length).toBeLessThanOrEqual(5000);
  const shown: string[] = [];
  for (const { artifactId, start, end } of passages) {
    const text = await ann.client.text(getArtifactText, { params: { artifactId } });
    expect(text.trim()).toBe(files[names.get(artifactId) ?? '']);
    expect(end).toBeLessThanOrEqual(text.length);
    shown.push(text.slice(start, end));
  }
  expect(shown.join('\n')).toContain('the engine oil is kept below deck');
  expect(shown.join('\n').match(/is changed in May/gu)?.length).toBeGreaterThanOrEqual(4);
  const { artifactId, start = 0, end = 0 } = data.citations[0] ?? {};
  expect(passages).toContainEqual(expect.objectContaining({ artifactId }));
  const around = passages.some(
    (passage) => passage.artifactId === artifactId && passage.start <= start && passage.end >= end,
  );
  expect(around).toBe(true);
});
