import { getArtifactText, search, uploadArtifacts } from '@engram/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const paragraph = (subject: string, count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `In section ${i} the ${subject} is described for the crew of the ferry.`,
  ).join(' ');

/** Files with many sections about the same subject. */
const files: Record<string, string> = {
  'engine.txt': [1, 2, 3, 4, 5, 6, 7, 8]
    .map((part) => `${paragraph('engine', 12)} The oil of engine ${part} is changed in May.`)
    .join('\n\n'),
  'deck.txt': `${paragraph('deck', 40)}\n\nÖl für die Maschine 🛢️ — the engine oil is kept below deck.`,
};

const engram = useTestApp();

test('an explanation has the offsets and the ranking features of the found sections', async () => {
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

  expect(passages.map(({ artifactId, start, end }) => [artifactId, start, end])).toEqual(
    data.found.map(({ artifactId, start, end }) => [artifactId, start, end]),
  );
  for (const { artifactId, start, end, scores } of passages) {
    const text = await ann.client.text(getArtifactText, { params: { artifactId } });
    expect(text.trim()).toBe(files[names.get(artifactId) ?? '']);
    expect(end).toBeLessThanOrEqual(text.length);
    expect(end).toBeGreaterThan(start);
    expect(scores['coverage']).toBeGreaterThan(0);
  }
  const first = data.found.slice(0, 3).map(({ text }) => text);
  expect(first.join('\n')).toContain('the engine oil is kept below deck');
});
