import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getArtifact, getArtifactText, uploadArtifacts } from '@engram/contract';
import { expect, test } from 'vitest';
import { createOcrLanguages } from '../ocr-languages.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
const letter = readFileSync(path.join(import.meta.dirname, '../../../tests/scans/letter.png'));
const GERMAN = `Der Mietvertrag beginnt am ersten Mai und endet nach drei Jahren. Die Kaution ist in drei
Raten zu zahlen, und die Heizung wird vom Vermieter gewartet. Haustiere sind nicht erlaubt.`;

/** Uploads a scanned German letter after the files of its user. */
async function letterAfter(email: string, files: string[]) {
  const { client } = await engram.signIn(email);
  const upload = async (name: string, content: Blob): Promise<string> => {
    const { data } = await client.upload(uploadArtifacts, [{ name, content }], {});
    await engram.settled();
    return data.artifacts[0]?.artifactId ?? '';
  };
  for (const [i, file] of files.entries()) await upload(`${i}.txt`, new Blob([file]));
  const params = { artifactId: await upload('letter.png', new Blob([letter])) };
  return {
    text: await client.text(getArtifactText, { params }),
    note: (await client.call(getArtifact, { params })).data.statusReason,
  };
}

test("a German letter is recognized as German if the user's other files are German", async () => {
  const { text, note } = await letterAfter('ann@example.org', [GERMAN]);
  expect(text).toContain('Königstraße');
  expect(text).toContain('Müller');
  expect(note).toBeNull();
});

test('without German files the letter is recognized as English', async () => {
  const { text, note } = await letterAfter('bob@example.org', []);
  expect(text).not.toMatch(/[äöüß]/u);
  expect(note).toBeNull();
});

test('a picture has a note if the data for the language of most files is missing', async () => {
  const { note } = await letterAfter('dan@example.org', [
    'Договор аренды начинается первого мая и заканчивается через три года. Залог платится частями.',
  ]);
  expect(note).toMatch(/^Text in pictures was read without Russian, /u);
});

test('languages are chosen by the number of files, and English is included', async () => {
  const { userId } = await engram.signIn('cleo@example.org');

  const languagesOf = (counts: Record<string, number>, ocrLanguages = 'auto') => {
    const languageCounts = async () =>
      Object.entries(counts).map(([language, files]) => ({ language, files }));
    const artifactsRepository = { ...engram.deps.artifactsRepository, languageCounts };
    const config = { ...engram.deps.config, ocrLanguages };
    const storage = { ...engram.deps, artifactsRepository };
    return createOcrLanguages({ config, storage })(userId);
  };
  const missing = null;
  expect(await languagesOf({})).toEqual({ languages: ['eng'], missing });
  const german = await languagesOf({ de: 9, en: 3, fr: 2, it: 1 });
  expect(german).toEqual({ languages: ['deu', 'fra', 'eng'], missing });
  const english = await languagesOf({ en: 90, de: 7, it: 3 });
  expect(english).toEqual({ languages: ['eng', 'deu'], missing });
  const russian = await languagesOf({ ru: 5, de: 4 });
  expect(russian).toEqual({ languages: ['deu', 'eng'], missing: 'Russian' });
  expect(await languagesOf({ de: 9 }, 'fra+eng')).toEqual({ languages: ['fra', 'eng'], missing });
});
