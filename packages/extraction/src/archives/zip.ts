import { detectType, HEAD_BYTES } from '../detect.ts';
import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import { beyondNote, MemberReader } from './members.ts';
import type { Extraction } from '../types.ts';
import { inflateMember, isBomb, listZip, memberHead, type ZipMember } from './zip-archive.ts';
import { unlockMember } from './zip-decryption.ts';

/** Larger members are only inflated if their first bytes are of a known type. */
const CHECK_HEAD_BYTES = 1_000_000;

/** Zip archives: each member is read by its own type and located by its path. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { builder } = input;
  const reader = new MemberReader(input);
  const files = await readArchive(input.bytes, '', 1, reader);
  if (files === 0) throw new ExtractionError('empty', 'This archive contains no files.');
  if (reader.read === 0 && reader.faults.length > 0) throw noneReadError(reader);
  reader.writeNotes();
  return builder.finish({ parts: reader.read });
}

async function readArchive(
  bytes: Uint8Array,
  prefix: string,
  level: number,
  reader: MemberReader,
): Promise<number> {
  const { builder, onProgress } = reader.input;
  const { members, faults, damaged, beyond } = await listZip(bytes);
  const total = members.reduce((sum, { size }) => sum + size, 0);
  if (isBomb(total, bytes.length)) {
    throw new ExtractionError(
      'too_large',
      'This archive unpacks to more than can be read safely. It was not unpacked.',
    );
  }
  const subject = prefix === '' ? 'This archive' : `The archive ${prefix.slice(0, -1)}`;
  if (damaged) builder.note(`${subject} is damaged or incomplete. Engram read what it could.`);
  if (beyond > 0) builder.note(beyondNote(beyond));
  for (const { path, error } of faults) reader.faults.push({ path: prefix + path, error });
  let done = 0;
  for (const [index, member] of members.entries()) {
    if (builder.full) break;
    if (!reader.takeSlot()) {
      builder.note(beyondNote(members.length - index));
      break;
    }
    const path = prefix + member.path;
    await reader.attempt(path, () => readMember(member, path, level, reader));
    done += member.packed.length;
    if (level === 1) onProgress(Math.round((done / bytes.length) * 100));
  }
  return members.length + faults.length;
}

async function readMember(
  packed: ZipMember,
  path: string,
  level: number,
  reader: MemberReader,
): Promise<void> {
  const fileName = packed.path.slice(packed.path.lastIndexOf('/') + 1);
  const member = unlockMember(packed, reader.input.keyring);
  if (member.size > CHECK_HEAD_BYTES) {
    const head = memberHead(member, HEAD_BYTES);
    if (head.length > 0 && (await detectType(head, fileName)) === null) {
      reader.others.push(path);
      return;
    }
  }
  reader.spend(member.size);
  const bytes = inflateMember(member);
  if (bytes.length === 0) return;
  const type = await detectType(bytes.subarray(0, HEAD_BYTES), fileName);
  if (type === null) reader.others.push(path);
  else if (type === 'zip') {
    reader.checkDepth(level);
    await readArchive(bytes, `${path}/`, level + 1, reader);
  } else {
    reader.input.builder.clearHeadings();
    await reader.readMember({ bytes, path, fileName, type }, { depth: level });
  }
}

function noneReadError({ faults, others }: MemberReader): ExtractionError {
  const codes = new Set(faults.map(({ error }) => error.code));
  const [only = 'damaged'] = codes.size === 1 ? codes : [];
  if (others.length === 0 && only === 'password_needed') {
    return new ExtractionError('password_needed', 'This archive is password-protected.');
  }
  const code = codes.has('password_needed') ? 'password_needed' : only;
  const sentences = [...new Set(faults.map(({ error }) => error.message))].slice(0, 3).join(' ');
  return new ExtractionError(code, `No file of this archive could be read. ${sentences}`);
}
