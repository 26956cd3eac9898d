import { ExtractionError } from '../errors.ts';
import type { Budget, FormatInput } from '../format.ts';
import { truncationNote } from '../text-builder.ts';
import type { ExtractInput, FileType, Supplements } from '../types.ts';
import { MAX_MEMBERS } from './zip-archive.ts';

/** What all files within one upload that are read may hold together, in bytes, at any depth. */
const MAX_TOTAL_BYTES = 500_000_000;
/** Pictures within documents that text is recognised in: each takes a second or two. */
const MAX_PICTURES = 300;
/** Files that hold files, one within the other: the one that was uploaded is the first. */
export const MAX_LEVELS = 5;
/** File names spelled out in one note. */
const NAMES_IN_NOTE = 5;

/** Types whose files hold files. */
const CONTAINERS: ReadonlySet<FileType> = new Set(['zip', 'eml', 'mbox']);

/** The budget of an upload. */
export const newBudget = (): Budget => ({
  left: { bytes: MAX_TOTAL_BYTES, members: MAX_MEMBERS, pictures: MAX_PICTURES },
  level: 1,
});

/** A file in a file. */
export interface Member extends Pick<ExtractInput, 'bytes' | 'type' | 'fileName'> {
  /** Its path in the file that holds it. */
  path: string;
}

/** The reading of the files that one file holds, and what became of them. */
export interface MemberRun {
  /** Members read. */
  readonly read: number;
  /** Takes the bytes of one more member from the budget; throws {@link ExtractionError} without. */
  spend(bytes: number): void;
  /** Whether so many members are left that one more may be looked at; it is counted. */
  admits(): boolean;
  /**
   * Reads a member as the file it is, below a heading with its path.
   *
   * @param place.depth levels below the file whose run this is; 1 unless said otherwise
   * @param place.heading the level of the heading, 1 unless said otherwise
   * @throws {ExtractionError} when it cannot be read
   */
  readMember(member: Member, place?: { depth?: number; heading?: number }): Promise<void>;
  /** Throws {@link ExtractionError} for a file so deep that its own files are not read. */
  refuseDeep(depth: number): void;
  /** A member of a type that Engram does not read. */
  other(path: string): void;
  fault(path: string, error: ExtractionError): void;
  /** Sentences on what was left out: one for all members that share a fault, one for other types. */
  notes(): string[];
  /** What stood in the way, if nothing could be read and something should have been. */
  readonly faults: readonly { path: string; error: ExtractionError }[];
  readonly others: readonly string[];
}

/** Says how many files of an upload were left out, because no more of one are read. */
export function beyondNote(count: number): string {
  return `Only the first ${MAX_MEMBERS.toLocaleString('en-US')} files were read; ${count.toLocaleString('en-US')} were left out.`;
}

/** Begins the reading of the files that a file holds, within what its upload may cost. */
export function createMemberRun(input: FormatInput): MemberRun {
  const { builder, limits, extract, budget } = input;
  const { left } = budget;
  const supplements = supplementsByPath(input.supplements);
  const faults: { path: string; error: ExtractionError }[] = [];
  const others: string[] = [];
  let read = 0;

  const refuseDeep = (depth: number): void => {
    if (budget.level + depth <= MAX_LEVELS) return;
    throw new ExtractionError(
      'unsupported',
      `Files within files are read ${MAX_LEVELS} levels deep; this one was left out.`,
    );
  };

  return {
    faults,
    others,
    get read() {
      return read;
    },
    spend(bytes) {
      if (bytes > left.bytes) {
        throw new ExtractionError(
          'too_large',
          'The files in it are more than is read of one upload, so this file was left out.',
        );
      }
      left.bytes -= bytes;
    },
    admits() {
      left.members -= 1;
      return left.members >= 0;
    },
    refuseDeep,
    async readMember({ bytes, path, fileName, type }, { depth = 1, heading = 1 } = {}) {
      if (CONTAINERS.has(type)) refuseDeep(depth);
      const { maxLength, maxSegments } = builder.room(path.length + 4);
      if (maxLength <= 0 || maxSegments <= 0) {
        builder.note(truncationNote(limits, maxLength <= 0 ? 'length' : 'segments'));
        return;
      }
      const extraction = await extract(
        { bytes, fileName, type, supplements: supplements.get(path) ?? {} },
        {
          maxTextLength: maxLength,
          maxSegments,
          ownBytes: bytes.byteLength === bytes.buffer.byteLength,
          budget: { left, level: budget.level + depth },
        },
      );
      read += 1;
      builder.heading(heading, path, { path });
      builder.append(extraction, path);
      for (const note of extraction.notes) {
        const cut = (['length', 'segments'] as const).find(
          (what) => note === truncationNote({ maxLength, maxSegments }, what),
        );
        builder.note(cut === undefined ? `${path}: ${note}` : truncationNote(limits, cut));
      }
    },
    other(path) {
      others.push(path);
    },
    fault(path, error) {
      faults.push({ path, error });
    },
    notes: () => faultNotes(faults, others),
  };
}

type MemberSupplements = {
  [Key in keyof Supplements]-?: NonNullable<Supplements[Key]>[number][];
};

/** What was made for the wants of each member, or of its own members, by the member's path. */
function supplementsByPath({ pages, transcripts, captions }: Supplements) {
  const found = new Map<string, MemberSupplements>();
  const sort = <Item extends { path?: string }>(
    items: readonly Item[] = [],
    listIn: (own: MemberSupplements) => Item[],
  ): void => {
    for (const { path = '', ...item } of items) {
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const member = path.slice(0, end);
        const inner = end === path.length ? {} : { path: path.slice(end + 1) };
        const own = found.get(member) ?? { pages: [], transcripts: [], captions: [] };
        found.set(member, own);
        listIn(own).push({ ...item, ...inner } as Item);
      }
    }
  };
  sort(pages, (own) => own.pages);
  sort(transcripts, (own) => own.transcripts);
  sort(captions, (own) => own.captions);
  return found;
}

/** One note for all members that share a fault, and one for those of other types. */
function faultNotes(faults: MemberRun['faults'], others: readonly string[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, error } of faults) {
    const alike = paths.get(error.message);
    if (alike === undefined) paths.set(error.message, [path]);
    else alike.push(path);
  }
  const notes = [...paths].map(([sentence, alike]) => `${nameList(alike)}: ${sentence}`);
  if (others.length === 0) return notes;
  const many =
    others.length === 1
      ? '1 file of another type was'
      : `${others.length} files of other types were`;
  return [...notes, `${many} left out: ${nameList(others)}.`];
}

function nameList(paths: readonly string[]): string {
  const shown = paths.slice(0, NAMES_IN_NOTE);
  const more = paths.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
