import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getArtifactText, uploadArtifacts } from '@engram/contract';
import { expect, test } from 'vitest';
import { createOcrLanguages } from '../ocr-languages.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
const letter = readFileSync(path.join(import.meta.dirname, '../../../tests/scans/letter.png'));
const GERMAN = `Der Mietvertrag beginnt am ersten Mai und endet nach drei Jahren. Die Kaution ist in drei
Raten zu zahlen, und die Heizung wird vom Vermieter gewartet. Haustiere sind nicht erlaubt.`;

/** The text of a scanned German letter, recognized in the languages of its user. */
async function textAfter(email: string, files: string[]): Promise<string> {
  const { client } = await engram.signIn(email);
  const upload = async (name: string, content: Blob): Promise<string> => {
    const { data } = await client.upload(uploadArtifacts, [{ name, content }], {});
    await engram.settled();
    return data.artifacts[0]?.artifactId ?? '';
  };
  for (const [at, file] of files.entries()) await upload(`${at}.txt`, new Blob([file]));
  const artifactId = await upload('letter.png', new Blob([letter]));
  return client.text(getArtifactText, { params: { artifactId } });
}

test("a German letter is read as German if the user's other files are German", async () => {
  const text = await textAfter('ann@example.org', [GERMAN]);
  expect(text).toContain('Königstraße');
  expect(text).toContain('Müller');
});

test('without German files the letter is read as English', async () => {
  expect(await textAfter('bob@example.org', [])).not.toMatch(/[äöüß]/u);
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
  expect(await languagesOf({})).toEqual(['eng']);
  expect(await languagesOf({ de: 9, en: 3, fr: 2, it: 1 })).toEqual(['deu', 'fra', 'eng']);
  expect(await languagesOf({ en: 90, de: 7, it: 3 })).toEqual(['eng', 'deu']);
  expect(await languagesOf({ ru: 5 })).toEqual(['eng']);
  expect(await languagesOf({ de: 9 }, 'fra+eng')).toEqual(['fra', 'eng']);
});
