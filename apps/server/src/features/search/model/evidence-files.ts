import type {
  Citable,
  LibraryFile,
  Passage,
  Question,
  RecordTable,
  RowPlace,
} from '@engram/retrieval';
import type { EvidenceItem } from '../../../platform/ai/answering/answer-model.ts';
import type { NamedFile } from '../../artifacts/artifacts.repository.ts';
import type { KnownFiles } from '../../artifacts/library-cache.ts';
import { isIn, type Library, type Narrowing, type Scope } from '../../artifacts/library.ts';
import type { ScopeOf } from '../retrieval.ts';
import type { Document } from './document-parts.ts';

export interface EvidenceFilesDependencies {
  library: Pick<
    Library,
    'answerable' | 'documents' | 'facts' | 'tables' | 'within' | 'wanted' | 'openings'
  >;
  scopeOf: ScopeOf;
}

/** Whose files, and which of them a question may be answered from. */
export interface EvidenceFilesRequest {
  userId: string;
  question: Question;
  narrowing: Narrowing;
}

/** Longest text that is read whole, in characters. */
const MOST_CHARACTERS = 2_000_000;
/** Files whose tables a model may ask at once. */
const MOST_TABLE_FILES = 100;
/** Longest quote of a row or of a file's beginning, in UTF-16 units. */
const QUOTE_LIMIT = 300;

const sizeOf = (scope: Scope): number => ('only' in scope ? scope.only.size : Infinity);

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const factsIn = ({ json }: KnownFiles): Map<string, LibraryFile> => {
  const files = JSON.parse(Buffer.from(json).toString()) as LibraryFile[];
  return new Map(files.map((file) => [file.artifactId, file]));
};

/** The words of a part of a text as they are cited, without white space around them. */
function quotedFrom(text: string, part: { start: number; end: number }) {
  const said = text.slice(part.start, part.end);
  const start = part.start + said.length - said.trimStart().length;
  const quote = said.trim().slice(0, QUOTE_LIMIT).trimEnd().toWellFormed();
  return { quote, start, end: start + quote.length };
}

/**
 * The files that one question may be answered from: those of the user that are searchable, not
 * archived, and within the limits of the question and of its request. Whatever a model asks for, it
 * gets no other file. It names files by handles, which exist only for files that it was shown.
 */
export function openEvidenceFiles(
  deps: EvidenceFilesDependencies,
  { userId, question, narrowing }: EvidenceFilesRequest,
) {
  const { library } = deps;
  const handles = new Map<string, string>();
  const files = new Map<string, NamedFile>();
  const documents = new Map<string, Document>();
  const parsed = new Map<string, readonly RecordTable[]>();
  let scoped: Promise<Scope> | undefined;
  let facts: ReadonlyMap<string, LibraryFile> | undefined;

  const findScope = async (): Promise<Scope> => {
    const all = await deps.scopeOf(userId, narrowing);
    const meant = await library.within(userId, all, question.files);
    // As in searching: a file that is not there must not leave a question without any.
    return meant === null || sizeOf(meant) === 0 ? all : meant;
  };
  const scope = (): Promise<Scope> => (scoped ??= findScope());

  /** Of the given files those that may answer, as they are now. */
  async function known(ids: readonly string[]): Promise<NamedFile[]> {
    const within = await scope();
    const asked = [...new Set(ids)].filter((id) => isIn(within, id));
    const fresh = asked.filter((id) => !files.has(id));
    if (fresh.length > 0) {
      facts ??= factsIn(await library.facts(userId));
      for (const [id, file] of await library.answerable(userId, fresh)) files.set(id, file);
    }
    return asked.flatMap((id) => files.get(id) ?? []);
  }

  function handleOf(artifactId: string): string {
    const handle = handles.get(artifactId) ?? `f${handles.size + 1}`;
    handles.set(artifactId, handle);
    return handle;
  }

  async function read(ids: readonly string[]): Promise<ReadonlyMap<string, Document>> {
    const may = await known(ids);
    const fresh = may.filter(({ id }) => !documents.has(id));
    if (fresh.length > 0) {
      const texts = await library.documents(
        userId,
        fresh.map(({ id }) => id),
        MOST_CHARACTERS,
      );
      for (const { id, fileName } of fresh) {
        const text = texts.get(id);
        if (text !== undefined) documents.set(id, { artifactId: id, fileName, ...text });
      }
    }
    return documents;
  }

  /** Passages with what is known of their files; without those of files that may not answer. */
  async function toEvidence(passages: readonly Passage[]): Promise<EvidenceItem[]> {
    const may = new Map(
      (await known(passages.map(({ artifactId }) => artifactId))).map((file) => [file.id, file]),
    );
    return passages.flatMap((passage): EvidenceItem[] => {
      const file = may.get(passage.artifactId);
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

  /** Ids of the files of some types and times of upload, newest first. */
  async function list(wanted: Pick<Question['files'], 'uploaded' | 'kinds'>): Promise<string[]> {
    const within = await scope();
    return library.wanted(userId, within, { ...question.files, ...wanted });
  }

  /** The tables of the files that a model was shown and of spreadsheets, the fields of all documents. */
  async function tables(): Promise<RecordTable[]> {
    const sheets = await list({ uploaded: [], kinds: ['spreadsheet'] });
    const ids = [...new Set([...handles.keys(), ...sheets])].slice(0, MOST_TABLE_FILES);
    const lists = await library.tables(userId, ids);
    const all = lists.flatMap(({ key, json }) => {
      const read = parsed.get(key) ?? (JSON.parse(Buffer.from(json).toString()) as RecordTable[]);
      parsed.set(key, read);
      return read;
    });
    const may = new Set((await known(all.map(({ artifactId }) => artifactId))).map(({ id }) => id));
    return all.filter(({ artifactId }) => may.has(artifactId));
  }

  return {
    scope,
    known,
    read,
    toEvidence,
    handleOf,
    factOf: (id: string): LibraryFile | undefined => facts?.get(id),
    tables,

    /** The file that a model means by a handle it was given, or by the name of a file it was shown. */
    fileOf(said: string): NamedFile | undefined {
      const wanted = said.trim().toLowerCase();
      const shown = [...handles].flatMap(([id, handle]) => {
        const file = files.get(id);
        return file === undefined ? [] : [{ handle, file }];
      });
      return (
        shown.find(({ handle }) => handle === wanted) ??
        shown.find(({ file }) => file.fileName.toLowerCase() === wanted)
      )?.file;
    },

    list,

    /** Places of rows as they are cited, with the words that stand there. */
    async cite(places: readonly RowPlace[]): Promise<Citable[]> {
      const texts = await read(places.map(({ artifactId }) => artifactId));
      return places.flatMap((place): Citable[] => {
        const quoted = quotedFrom(texts.get(place.artifactId)?.text ?? '', place);
        const { artifactId, fileName } = place;
        return quoted.quote === '' ? [] : [{ artifactId, fileName, ...quoted }];
      });
    },

    /** The first words of some files, as they are cited. */
    async beginnings(ids: readonly string[]): Promise<Citable[]> {
      const openings = await library.openings(userId, ids);
      return (await known(ids)).flatMap(({ id, fileName }): Citable[] => {
        const { text = '', segments = [] } = openings.get(id) ?? {};
        const first = segments.find(({ start, end }) => text.slice(start, end).trim() !== '');
        if (first === undefined) return [];
        return [{ artifactId: id, fileName, ...quotedFrom(text, first) }];
      });
    },
  };
}

export type EvidenceFiles = ReturnType<typeof openEvidenceFiles>;
