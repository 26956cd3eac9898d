import { createHash, randomUUID } from 'node:crypto';
import { extract } from '@engram/extraction';
import { insertOrMerge } from '../apps/server/src/features/artifacts/upload-recording.ts';
import { createExtractionsRepository } from '../apps/server/src/features/artifacts/extractions.repository.ts';
import {
  type IndexData,
  deriveIndexData,
} from '../apps/server/src/features/ingestion/index-rows.ts';
import type { TestApp } from '../apps/server/src/tests/app.test-setup.ts';
import type { LibraryText } from './library-text.ts';

const CHUNKS_PER_FILE = 10;
const FILES_PER_STEP = 100;

/** Keywords of 50% and 1% of the files. */
export const keywordsOf = { half: 'Half', hundredth: 'Hundredth' };

const keywordsAt = (number: number): string[] => [
  ...(number % 2 === 0 ? [keywordsOf.half] : []),
  ...(number % 100 === 0 ? [keywordsOf.hundredth] : []),
];

interface ReadFile extends IndexData {
  id: string;
  fileName: string;
  keywords: string[];
  text: string;
  extraction: Awaited<ReturnType<typeof extract>>;
}

async function readFile(text: string, number: number): Promise<ReadFile> {
  const id = randomUUID();
  const fileName = `report ${number}.txt`;
  const keywords = keywordsAt(number);
  const extraction = await extract({ bytes: Buffer.from(text), fileName, type: 'txt' });
  const prepared = deriveIndexData(extraction, { artifactId: id, fileName, path: null, keywords });
  return { ...prepared, id, fileName, keywords, text, extraction };
}

/** Fills a user's library with the code that stores extracted files, but without their bytes. */
export async function fillLibrary(
  { deps }: TestApp,
  userId: string,
  text: LibraryText,
  chunks: number,
): Promise<void> {
  const extractions = createExtractionsRepository(
    deps.database,
    deps.libraryChanged,
    deps.webhookEvents,
  );
  const groupId = randomUUID();
  let chunkCount = 0;
  let number = 0;
  while (chunkCount < chunks) {
    const files: ReadFile[] = [];
    while (files.length < FILES_PER_STEP && chunkCount < chunks) {
      const paragraphs = Math.min(CHUNKS_PER_FILE, chunks - chunkCount);
      const file = await readFile(text.file(paragraphs), number);
      files.push(file);
      chunkCount += file.rows.length;
      number += 1;
    }
    const now = deps.now();
    await deps.database.transaction((tx) =>
      insertOrMerge(
        tx,
        files.map((file) => ({
          id: file.id,
          userId,
          groupId,
          fileName: file.fileName,
          fileType: 'txt',
          mediaType: 'text/plain',
          size: file.text.length,
          sha256: createHash('sha256').update(file.text).digest('hex'),
          source: 'API',
          device: null,
          keywords: file.keywords,
          status: 'PENDING',
          createdAt: now,
          updatedAt: now,
        })),
      ),
    );
    await deps.index.replace(
      userId,
      files.map(({ id, rows }) => ({ artifactId: id, rows })),
    );
    await Promise.all(files.map((file) => extractions.finish(finishedExtraction(file), now)));
  }
}

function finishedExtraction({ id, language, phrases, facts, tables, text, extraction }: ReadFile) {
  return {
    id,
    revision: 1,
    statusReason: null,
    locked: false,
    indexed: true,
    title: extraction.title,
    language,
    preview: text.slice(0, 50),
    durationMs: null,
    phrases,
    facts,
    tables,
    document: extraction,
  };
}
