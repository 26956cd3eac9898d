import { detectLanguage } from '../../analysis/languages.ts';
import { factsOf } from '../../documents/facts.ts';
import { readQuestion } from '../../question/reading.ts';
import { rankPassages } from '../../ranking/rank.ts';
import { documentOf, findPassages } from '../../testing.ts';
import type { TestFile } from '../../testing.ts';
import type { Material } from '../material.ts';

/** All that an answer may be made from, for a question to a small library on 31 December 2024. */
export function materialFor(
  files: readonly TestFile[],
  text: string,
  languages: string[] = ['en'],
): Material {
  const question = readQuestion(text, {
    languages,
    names: null,
    timeZone: 'UTC',
    now: new Date('2024-12-31T12:00:00Z'),
  });
  const { passages } = findPassages(files, text, languages);
  const documents = files.map((file, i) => ({
    artifactId: `artifact-${i}`,
    fileName: file.name,
    ...documentOf(file),
  }));
  return {
    question,
    ranked: rankPassages(question, passages),
    librarySize: passages.length,
    documents: new Map(documents.map((document) => [document.artifactId, document])),
    files: documents.map(({ artifactId, fileName, ...document }) => ({
      artifactId,
      fileName,
      ...factsOf(document, { fileName, title: null, language: detectLanguage(document.text) }),
    })),
    tables: [],
    today: '2024-12-31',
  };
}

/** Blocks of a file: '# ' begins a heading, '- ' an item, a tab within makes a row. */
export function fileOf(name: string, text: string, language = 'en'): TestFile {
  const headings: string[] = [];
  const blocks = text
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): TestFile['blocks'][number] => {
      const own = line.trim();
      const depth = /^#+/u.exec(own)?.[0].length ?? 0;
      if (depth > 0) {
        const heading = own.slice(depth).trim();
        headings.length = Math.min(headings.length, depth - 1);
        headings.push(heading);
        return { text: heading, kind: 'heading', headings: [...headings] };
      }
      const kind = own.startsWith('- ') ? 'list' : own.includes('\t') ? 'table' : 'prose';
      return { text: own, kind, headings: [...headings] };
    });
  return { name, language, blocks };
}
