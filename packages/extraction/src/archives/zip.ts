import { detectType, HEAD_BYTES } from '../detect.ts';
import { ExtractionError } from '../errors.ts';
import type { Format, FormatInput } from '../format.ts';
import { beyondNote, createMemberRun, type MemberRun } from './members.ts';
import type { Extraction } from '../types.ts';
import { inflateMember, isBomb, listZip, memberHead, type ZipMember } from './zip-archive.ts';

/** Members larger than this are looked at before they are inflated. */
const LOOK_FIRST_BYTES = 1_000_000;

/** Zip archives: each member read as the file it is, one at a time, found by its path. */
export const zip: Format = { type: 'zip', read };

interface Run extends MemberRun {
  input: FormatInput;
}

async function read(input: FormatInput): Promise<Extraction> {
  const { builder } = input;
  const run: Run = Object.assign(createMemberRun(input), { input });
  const files = await readArchive(input.bytes, '', 1, run);
  if (files === 0) throw new ExtractionError('empty', 'This archive holds no files.');
  if (run.read === 0 && run.faults.length > 0) throw nothingRead(run);
  for (const note of run.notes()) builder.note(note);
  return builder.finish({ parts: run.read });
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
  if (listing.beyond > 0) builder.note(beyondNote(listing.beyond));
  for (const { path, error } of listing.faults) run.fault(prefix + path, error);
  let done = 0;
  for (const member of members) {
    if (builder.full) break;
    if (!run.admits()) {
      builder.note(beyondNote(members.length - members.indexOf(member)));
      break;
    }
    const path = prefix + member.path;
    try {
      await readMember(member, path, level, run);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      run.fault(path, error);
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
      run.other(path);
      return;
    }
  }
  run.spend(member.size);
  const bytes = inflateMember(member);
  if (bytes.length === 0) return;
  const type = await detectType(headOf(bytes), fileName);
  if (type === null) run.other(path);
  else if (type === 'zip') await readInner(bytes, path, level, run);
  else {
    run.input.builder.clearHeadings();
    await run.readMember({ bytes, path, fileName, type }, { depth: level });
  }
}

async function readInner(bytes: Uint8Array, path: string, level: number, run: Run): Promise<void> {
  run.refuseDeep(level);
  await readArchive(bytes, `${path}/`, level + 1, run);
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

function headOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, HEAD_BYTES);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
