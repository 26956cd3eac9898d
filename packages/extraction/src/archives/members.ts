import { ExtractionError } from '../errors.ts';
import type { Budget, FormatInput } from '../format.ts';
import { truncationNote } from '../text-builder.ts';
import type { ExtractInput, FileType, Supplements } from '../types.ts';
import { MAX_MEMBERS } from './zip-archive.ts';

/** Maximum inflated bytes of all files in one upload. */
const MAX_INFLATED_BYTES = 500_000_000;
const MAX_PICTURES = 300;
/** Maximum nesting of files. The upload is the first level. */
export const MAX_LEVELS = 5;
const NAMES_IN_NOTE = 5;

const CONTAINERS: ReadonlySet<FileType> = new Set(['zip', 'eml', 'mbox', 'msg']);

export const newBudget = (): Budget => ({
  left: { bytes: MAX_INFLATED_BYTES, members: MAX_MEMBERS, pictures: MAX_PICTURES },
  level: 1,
});

export interface Member extends Pick<ExtractInput, 'bytes' | 'type' | 'fileName'> {
  path: string;
}

export function beyondNote(count: number): string {
  return `Only the first ${MAX_MEMBERS.toLocaleString('en-US')} files were read; ${count.toLocaleString('en-US')} were left out.`;
}

/** Reads the members of a file, within the budget of its upload. */
export class MemberReader {
  readonly input: FormatInput;
  read = 0;
  readonly faults: { path: string; error: ExtractionError }[] = [];
  readonly others: string[] = [];
  readonly #supplements: Map<string, MemberSupplements>;

  constructor(input: FormatInput) {
    this.input = input;
    this.#supplements = supplementsByPath(input.supplements);
  }

  takeSlot(): boolean {
    const { left } = this.input.budget;
    left.members -= 1;
    return left.members >= 0;
  }

  spend(bytes: number): void {
    const { left } = this.input.budget;
    if (bytes > left.bytes) {
      throw new ExtractionError(
        'too_large',
        'This file was left out, because its archive contains more than Engram reads from one upload.',
      );
    }
    left.bytes -= bytes;
  }

  checkDepth(depth: number): void {
    if (this.input.budget.level + depth <= MAX_LEVELS) return;
    throw new ExtractionError(
      'unsupported',
      `Nested files are read up to ${MAX_LEVELS} levels deep. This one was left out.`,
    );
  }

  async attempt(path: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      this.faults.push({ path, error });
    }
  }

  /** Extracts a member below a heading with its path, if there is one. `depth` counts levels below this file. */
  async readMember(
    { bytes, path, fileName, type }: Member,
    { depth = 1, heading = 1 }: { depth?: number; heading?: number | null } = {},
  ): Promise<void> {
    const { builder, limits, extract, budget, keyring } = this.input;
    if (CONTAINERS.has(type)) this.checkDepth(depth);
    const { maxLength, maxSegments } = builder.room(path.length + 4);
    if (maxLength <= 0 || maxSegments <= 0) {
      builder.note(truncationNote(limits, maxLength <= 0 ? 'length' : 'segments'));
      return;
    }
    const extraction = await extract(
      { bytes, fileName, type, supplements: this.#supplements.get(path) ?? {} },
      {
        maxTextLength: maxLength,
        maxSegments,
        ownBytes: bytes.byteLength === bytes.buffer.byteLength,
        budget: { left: budget.left, level: budget.level + depth },
        keyring,
      },
    );
    this.read += 1;
    if (heading !== null) builder.heading(heading, path, { path });
    builder.append(extraction, path);
    for (const note of extraction.notes) {
      const cut = (['length', 'segments'] as const).find(
        (limit) => note === truncationNote({ maxLength, maxSegments }, limit),
      );
      builder.note(cut === undefined ? `${path}: ${note}` : truncationNote(limits, cut));
    }
  }

  writeNotes(): void {
    const { builder } = this.input;
    const byFault = Map.groupBy(this.faults, ({ error }) => error.message);
    for (const [sentence, faults] of byFault) {
      builder.note(`${nameList(faults.map(({ path }) => path))}: ${sentence}`);
    }
    const count = this.others.length;
    if (count === 0) return;
    const counted =
      count === 1 ? '1 file of another type was' : `${count} files of other types were`;
    builder.note(`${counted} left out: ${nameList(this.others)}.`);
  }
}

type MemberSupplements = {
  [Key in keyof Supplements]-?: NonNullable<Supplements[Key]>[number][];
};

function supplementsByPath(supplements: Supplements): Map<string, MemberSupplements> {
  const byPath = new Map<string, MemberSupplements>();
  for (const kind of ['pages', 'transcripts', 'captions'] as const) {
    for (const { path = '', ...item } of supplements[kind] ?? []) {
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const member = path.slice(0, end);
        const inner = end === path.length ? {} : { path: path.slice(end + 1) };
        const ofMember = byPath.get(member) ?? { pages: [], transcripts: [], captions: [] };
        byPath.set(member, ofMember);
        ofMember[kind].push({ ...item, ...inner } as never);
      }
    }
  }
  return byPath;
}

function nameList(paths: readonly string[]): string {
  const listedPaths = paths.slice(0, NAMES_IN_NOTE);
  const more = paths.length - listedPaths.length;
  return more === 0 ? listedPaths.join(', ') : `${listedPaths.join(', ')} and ${more} more`;
}
