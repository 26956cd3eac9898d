import type {
  Citable,
  FileKind,
  LibraryFile,
  Passage,
  Question,
  RankedPassage,
  RecordTable,
  RowPlace,
  Section,
} from '@engram/retrieval';
import type { EvidenceItem } from '../../../platform/ai/answering/evidence-budget.ts';
import type { ArtifactRow } from '../../artifacts/artifacts.tables.ts';
import type { SharedList } from '../../artifacts/library-cache.ts';
import { isIn, type Library, type Narrowing, type Scope } from '../../artifacts/library.ts';
import type { ScopeOf } from '../question-search.ts';
import { type Document, passageAt, wholeAround } from './document-parts.ts';

const MAX_CHARACTERS = 2_000_000;
const MAX_TABLE_FILES = 100;
/** Longest quote of a row or of a file's beginning, in UTF-16 units. */
const QUOTE_LIMIT = 300;

const sizeOf = (scope: Scope): number => ('only' in scope ? scope.only.size : Infinity);

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const factsIn = ({ json }: SharedList): Map<string, LibraryFile> => {
  const files = JSON.parse(Buffer.from(json).toString()) as LibraryFile[];
  return new Map(files.map((file) => [file.artifactId, file]));
};

function quotedFrom(text: string, part: { start: number; end: number }) {
  const partText = text.slice(part.start, part.end);
  const start = part.start + partText.length - partText.trimStart().length;
  const quote = partText.trim().slice(0, QUOTE_LIMIT).trimEnd().toWellFormed();
  return { quote, start, end: start + quote.length };
}

/**
 * The files from which a question may be answered: the user's searchable, unarchived files within the
 * limits of the question and its request. A model gets no other file, and refers to the files that it
 * was shown by their handles.
 */
export function openEvidenceFiles(
  library: Library,
  scopeOf: ScopeOf,
  { userId, question, narrowing }: { userId: string; question: Question; narrowing: Narrowing },
) {
  const handles = new Map<string, string>();
  const files = new Map<string, ArtifactRow>();
  const documents = new Map<string, Document>();
  let loaded: { key: string; tables: RecordTable[] } | undefined;
  let scoped: Promise<Scope> | undefined;
  let facts: ReadonlyMap<string, LibraryFile> | undefined;

  const scope = (): Promise<Scope> =>
    (scoped ??= scopeOf(userId, narrowing).then(async (all) => {
      const narrowed = await library.narrow(userId, all, question.files);
      // As in the search, all files are used if none matches the question.
      return narrowed === null || sizeOf(narrowed) === 0 ? all : narrowed;
    }));

  async function findMany(ids: readonly string[]): Promise<ArtifactRow[]> {
    const within = await scope();
    const inScope = [...new Set(ids)].filter((id) => isIn(within, id));
    const unknown = inScope.filter((id) => !files.has(id));
    if (unknown.length > 0) {
      facts ??= factsIn(await library.facts(userId));
      for (const [id, file] of await library.answerable(userId, unknown)) files.set(id, file);
    }
    return inScope.flatMap((id) => files.get(id) ?? []);
  }

  function handleOf(artifactId: string): string {
    const handle = handles.get(artifactId) ?? `f${handles.size + 1}`;
    handles.set(artifactId, handle);
    return handle;
  }

  async function read(ids: readonly string[]): Promise<ReadonlyMap<string, Document>> {
    const allowed = await findMany(ids);
    const unread = allowed.filter(({ id }) => !documents.has(id));
    if (unread.length > 0) {
      const texts = await library.documents(
        userId,
        unread.map(({ id }) => id),
        MAX_CHARACTERS,
      );
      for (const { id, fileName } of unread) {
        const text = texts.get(id);
        if (text !== undefined) documents.set(id, { artifactId: id, fileName, ...text });
      }
    }
    return documents;
  }

  /** Adds the facts of their files to passages, and drops those of other files. */
  async function toEvidence(passages: readonly Passage[]): Promise<EvidenceItem[]> {
    const allowed = new Map(
      (await findMany(passages.map(({ artifactId }) => artifactId))).map((row) => [row.id, row]),
    );
    return passages.flatMap((passage): EvidenceItem[] => {
      const file = allowed.get(passage.artifactId);
      if (file === undefined || passage.text === '') return [];
      const fact = facts?.get(file.id);
      return [
        {
          ...passage,
          date: fact?.date ?? null,
          kind: fact?.kind ?? null,
          file: {
            handle: handleOf(file.id),
            version: fact?.version ?? null,
            added: dayOf(file.createdAt),
          },
        },
      ];
    });
  }

  /** The ids of files of the given types, newest first. */
  const list = async (kinds: FileKind[]): Promise<string[]> =>
    library.matchingIds(userId, await scope(), { ...question.files, uploaded: [], kinds });

  /** The tables of shown files and spreadsheets, and the fields of all documents. */
  async function tables(): Promise<RecordTable[]> {
    const sheets = await list(['spreadsheet']);
    const ids = [...new Set([...handles.keys(), ...sheets])].slice(0, MAX_TABLE_FILES);
    const key = ids.join(' ');
    if (loaded?.key !== key) loaded = { key, tables: await library.tables(userId, ids) };
    const { tables } = loaded;
    const allowed = new Set(
      (await findMany(tables.map(({ artifactId }) => artifactId))).map(({ id }) => id),
    );
    return tables.filter(({ artifactId }) => allowed.has(artifactId));
  }

  return {
    scope,
    findMany,
    read,
    toEvidence,
    handleOf,
    factOf: (id: string): LibraryFile | undefined => facts?.get(id),
    tables,

    /** The shown file with this handle or name. */
    fileOf(reference: string): ArtifactRow | undefined {
      const key = reference.trim().toLowerCase();
      const shown = [...handles].flatMap(([id, handle]) => {
        const file = files.get(id);
        return file === undefined ? [] : [{ handle, file }];
      });
      return (
        shown.find(({ handle }) => handle === key) ??
        shown.find(({ file }) => file.fileName.toLowerCase() === key)
      )?.file;
    },

    list,

    async cite(places: readonly RowPlace[]): Promise<Citable[]> {
      const texts = await read(places.map(({ artifactId }) => artifactId));
      return places.flatMap((place): Citable[] => {
        const quoted = quotedFrom(texts.get(place.artifactId)?.text ?? '', place);
        const { artifactId, fileName } = place;
        return quoted.quote === '' ? [] : [{ artifactId, fileName, ...quoted }];
      });
    },

    async beginnings(ids: readonly string[]): Promise<Citable[]> {
      const openings = await library.openings(userId, ids);
      return (await findMany(ids)).flatMap(({ id, fileName }): Citable[] => {
        const { text = '', segments = [] } = openings.get(id) ?? {};
        const first = segments.find(({ start, end }) => text.slice(start, end).trim() !== '');
        if (first === undefined) return [];
        return [{ artifactId: id, fileName, ...quotedFrom(text, first) }];
      });
    },
  };
}

export type EvidenceFiles = ReturnType<typeof openEvidenceFiles>;

const MAX_ITEMS = 40;

/**
 * The initial evidence of a model, best first: the found sections, then other passages, each with the
 * short file, table or section around it.
 */
export async function evidenceOf(
  evidenceFiles: Pick<EvidenceFiles, 'read' | 'toEvidence'>,
  sections: readonly Section[],
  ranked: readonly RankedPassage[],
): Promise<EvidenceItem[]> {
  const documents = await evidenceFiles.read(sections.map(({ artifactId }) => artifactId));
  const sectionPassages = sections.flatMap(({ artifactId, start, end }) => {
    const document = documents.get(artifactId);
    return document === undefined ? [] : [passageAt(document, start, end)];
  });
  const others = ranked.filter(
    (passage) =>
      !sectionPassages.some(
        ({ artifactId, start, end }) =>
          artifactId === passage.artifactId && start <= passage.start && passage.end <= end,
      ),
  );
  const items = await evidenceFiles.toEvidence([...sectionPassages, ...others].slice(0, MAX_ITEMS));
  return items.map((item) => {
    const whole = wholeAround(item, documents.get(item.artifactId));
    return whole === item ? item : { ...item, whole: { ...item, ...whole } };
  });
}
