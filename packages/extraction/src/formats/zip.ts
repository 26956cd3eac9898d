import { detectType, HEAD_BYTES } from '../detect.ts';
import { ExtractionError } from '../errors.ts';
import type { Format, FormatInput } from '../format.ts';
import { truncationNote } from '../text-builder.ts';
import type { Extraction, FileType, Supplements } from '../types.ts';
import { inflateMember, isBomb, listZip, MAX_MEMBERS, memberHead } from '../zip-archive.ts';
import type { ZipMember } from '../zip-archive.ts';

/** What all members that are read may inflate to together, in bytes, nested archives included. */
const MAX_TOTAL_BYTES = 500_000_000;
/** Archives within archives that are opened: the one that was uploaded is the first. */
const MAX_LEVELS = 3;
/** Members larger than this are looked at before they are inflated. */
const LOOK_FIRST_BYTES = 1_000_000;
/** File names spelled out in one note. */
const NAMES_IN_NOTE = 5;

/** Zip archives: each member read as the file it is, one at a time, found by its path. */
export const zip: Format = { type: 'zip', read };

/** What is left to spend on one upload, and what became of its members. */
interface Run {
  input: FormatInput;
  supplements: Map<string, Supplements>;
  bytesLeft: number;
  membersLeft: number;
  /** Members read. */
  read: number;
  /** Members whose type Engram does not read. */
  others: string[];
  faults: { path: string; error: ExtractionError }[];
}

async function read(input: FormatInput): Promise<Extraction> {
  const { builder } = input;
  const run: Run = {
    input,
    supplements: supplementsByPath(input.supplements),
    bytesLeft: MAX_TOTAL_BYTES,
    membersLeft: MAX_MEMBERS,
    read: 0,
    others: [],
    faults: [],
  };
  const files = await readArchive(input.bytes, '', 1, run);
  if (files === 0) throw new ExtractionError('empty', 'This archive holds no files.');
  if (run.read === 0 && run.faults.length > 0) throw nothingRead(run);
  for (const note of faultNotes(run)) builder.note(note);
  return builder.finish({ parts: run.read });
}

/**
 * One member of an archive by the path that locations and wants give it, members of archives
 * within archives included. Nothing else is inflated, but the archives on the way.
 *
 * @throws {ExtractionError} when there is no such member, or it cannot be read
 */
export async function memberOf(
  bytes: Uint8Array,
  path: string,
): Promise<{ bytes: Uint8Array; fileName: string; type: FileType }> {
  let archive = bytes;
  let rest = path;
  for (let level = 1; level <= MAX_LEVELS; level += 1) {
    const { members } = await listZip(archive);
    const exact = members.find((member) => member.path === rest);
    if (exact !== undefined) {
      const found = inflateMember(exact);
      const fileName = baseName(rest);
      const type = await detectType(headOf(found), fileName);
      if (type === null) break;
      return { bytes: found, fileName, type };
    }
    const outer = members.find((member) => rest.startsWith(`${member.path}/`));
    if (outer === undefined) break;
    archive = inflateMember(outer);
    rest = rest.slice(outer.path.length + 1);
  }
  throw new ExtractionError('unsupported', 'This archive holds no such file that can be read.');
}

/** Reads one archive into the builder and answers how many files it lists. */
async function readArchive(
  bytes: Uint8Array,
  prefix: string,
  level: number,
  run: Run,
): Promise<number> {
  const { builder, onProgress } = run.input;
  const listing = await listZip(bytes);
  const { members } = listing;
  const total = members.reduce((sum, { size }) => sum + size, 0);
  if (isBomb(total, bytes.length)) {
    throw new ExtractionError(
      'too_large',
      'This archive unpacks to more than can be read safely. It was not unpacked.',
    );
  }
  const named = prefix === '' ? 'This archive' : `The archive ${prefix.slice(0, -1)}`;
  if (listing.damaged) {
    builder.note(`${named} is cut off or damaged; what could be read was read.`);
  }
  if (listing.beyond > 0) builder.note(leftOut(listing.beyond));
  run.faults.push(...listing.faults.map(({ path, error }) => ({ path: prefix + path, error })));
  let done = 0;
  for (const member of members) {
    if (builder.full) break;
    if (run.membersLeft <= 0) {
      builder.note(leftOut(members.length - members.indexOf(member)));
      break;
    }
    run.membersLeft -= 1;
    const path = prefix + member.path;
    try {
      await readMember(member, path, level, run);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      run.faults.push({ path, error });
    }
    done += member.packed.length;
    if (level === 1) onProgress(Math.round((done / bytes.length) * 100));
  }
  return members.length + listing.faults.length;
}

async function readMember(member: ZipMember, path: string, level: number, run: Run): Promise<void> {
  const fileName = baseName(member.path);
  if (member.size > LOOK_FIRST_BYTES && !member.encrypted) {
    const head = memberHead(member, HEAD_BYTES);
    if (head.length > 0 && (await detectType(head, fileName)) === null) {
      run.others.push(path);
      return;
    }
  }
  if (member.size > run.bytesLeft) {
    throw new ExtractionError(
      'too_large',
      'The archive unpacks to more than is read of one upload, so this file was left out.',
    );
  }
  const bytes = inflateMember(member);
  run.bytesLeft -= bytes.length;
  if (bytes.length === 0) return;
  const type = await detectType(headOf(bytes), fileName);
  if (type === null) run.others.push(path);
  else if (type === 'zip') await readInner(bytes, path, level, run);
  else await readFile(bytes, path, fileName, type, run);
}

async function readInner(bytes: Uint8Array, path: string, level: number, run: Run): Promise<void> {
  if (level >= MAX_LEVELS) {
    throw new ExtractionError(
      'unsupported',
      `Archives within archives are read ${MAX_LEVELS} levels deep; this one was left out.`,
    );
  }
  await readArchive(bytes, `${path}/`, level + 1, run);
}

/** Reads a member as the file it is and puts its text below a heading with its path. */
async function readFile(
  bytes: Uint8Array,
  path: string,
  fileName: string,
  type: FileType,
  run: Run,
): Promise<void> {
  const { builder, limits, extract } = run.input;
  const { maxLength, maxSegments } = builder.room(path.length + 4);
  if (maxLength <= 0 || maxSegments <= 0) {
    builder.note(truncationNote(limits, maxLength <= 0 ? 'length' : 'segments'));
    return;
  }
  const extraction = await extract(
    { bytes, fileName, type, supplements: run.supplements.get(path) ?? {} },
    {
      maxTextLength: maxLength,
      maxSegments,
      ownBytes: bytes.byteLength === bytes.buffer.byteLength,
    },
  );
  run.read += 1;
  builder.clearHeadings();
  builder.heading(1, path, { path });
  builder.append(extraction, path);
  for (const note of extraction.notes) {
    const cut = (['length', 'segments'] as const).find(
      (what) => note === truncationNote({ maxLength, maxSegments }, what),
    );
    builder.note(cut === undefined ? `${path}: ${note}` : truncationNote(limits, cut));
  }
}

/** What was made for the wants of each member, named as its own reading names them. */
function supplementsByPath({
  pages,
  transcripts,
  captions,
}: Supplements): Map<string, Supplements> {
  const found = new Map<string, Required<Supplements>>();
  const sort = <Key extends keyof Supplements>(
    key: Key,
    items: readonly { path?: string }[] = [],
  ): void => {
    for (const { path = '', ...item } of items) {
      const own = found.get(path) ?? { pages: [], transcripts: [], captions: [] };
      found.set(path, { ...own, [key]: [...own[key], item] });
    }
  };
  sort('pages', pages);
  sort('transcripts', transcripts);
  sort('captions', captions);
  return found;
}

/** Why an archive of which nothing could be read failed: what all its members share. */
function nothingRead({ faults, others }: Run): ExtractionError {
  const codes = new Set(faults.map(({ error }) => error.code));
  const [first] = faults;
  if (others.length === 0 && codes.size === 1 && codes.has('encrypted')) {
    return new ExtractionError('encrypted', 'This archive is password-protected.');
  }
  const sentences = [...new Set(faults.map(({ error }) => error.message))].slice(0, 3).join(' ');
  return new ExtractionError(
    codes.size === 1 && first !== undefined ? first.error.code : 'damaged',
    `No file of this archive could be read. ${sentences}`,
  );
}

/** One note for all members that share a fault, and one for those of other types. */
function faultNotes({ faults, others }: Run): string[] {
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

function leftOut(count: number): string {
  return `Only the first ${MAX_MEMBERS.toLocaleString('en-US')} files were read; ${count.toLocaleString('en-US')} were left out.`;
}

function headOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, HEAD_BYTES);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
