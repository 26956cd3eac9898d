import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createRecognizer,
  detectType,
  extract,
  type Extraction,
  ExtractionError,
  recognizePicture,
  type RecognizedPage,
} from '../../../packages/extraction/src/index.ts';
import type { SourceDocument } from '../../../packages/retrieval/src/index.ts';

/** A file as the server extracts it, including its pictures. */
export interface ReadFile extends SourceDocument {
  /** The file name without folders. */
  name: string;
}

/** Extracted files are cached with other temporary files, so that the project folder stays clean. */
const CACHE = join(tmpdir(), 'engram-quality');

const EXTRACTION = fileURLToPath(new URL('../../../packages/extraction/src', import.meta.url));

/** Changes with every change of the extraction code. */
const codeVersion = (): string => {
  const hash = createHash('sha256');
  for (const path of filesIn(EXTRACTION).filter((name) => !name.includes(`${sep}tests${sep}`))) {
    hash.update(path.slice(EXTRACTION.length)).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
};

/** The paths of all files in a folder and its folders, in order. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => (relative(folder, a) < relative(folder, b) ? -1 : 1));
}

/**
 * Extracts every file of some folders. Reports and skips files that cannot be extracted. Files that
 * the same code extracted before are cached.
 */
export async function readFolders(
  folders: readonly string[],
): Promise<{ files: ReadFile[]; refused: string[] }> {
  const version = codeVersion();
  const folder = join(CACHE, version);
  mkdirSync(folder, { recursive: true });
  const recognizer = createRecognizer({ languages: ['eng'] });
  const files: ReadFile[] = [];
  const refused: string[] = [];
  try {
    for (const path of folders.flatMap(filesIn)) {
      const name = (path.split('/').at(-1) ?? path).normalize('NFC');
      const bytes = new Uint8Array(readFileSync(path));
      const key = createHash('sha256').update(name).update('\0').update(bytes).digest('hex');
      const cacheFile = join(folder, `${key}.json`);
      if (!existsSync(cacheFile)) {
        const read = await readOne(name, bytes, recognizer);
        writeFileSync(
          cacheFile,
          JSON.stringify(read && { text: read.text, segments: read.segments }),
        );
      }
      const document = JSON.parse(readFileSync(cacheFile, 'utf8')) as SourceDocument | null;
      if (document === null) refused.push(name);
      else files.push({ name, ...document });
    }
  } finally {
    await recognizer.close();
  }
  return { files, refused };
}

/** Maximum number of rounds in which recognized pictures may lead to further requests. */
const MAX_ROUNDS = 3;

async function readOne(
  fileName: string,
  bytes: Uint8Array,
  recognizer: ReturnType<typeof createRecognizer>,
): Promise<Extraction | null> {
  const type = await detectType(bytes, fileName);
  if (type === null) return null;
  const pages: RecognizedPage[] = [];
  try {
    for (let round = 1; ; round += 1) {
      const read = await extract({ bytes, fileName, type, supplements: { pages } });
      const requests = read.requests.filter((request) => request.kind === 'page');
      if (requests.length === 0 || round === MAX_ROUNDS) return read;
      for (const { page, path } of requests) {
        const ref = path === undefined ? { page } : { page, path };
        pages.push(await recognizePicture({ bytes, fileName, type }, ref, recognizer));
      }
    }
  } catch (error) {
    if (error instanceof ExtractionError) return null;
    throw error;
  }
}
