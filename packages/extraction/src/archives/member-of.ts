import { detectType, HEAD_BYTES } from '../detect.ts';
import { ExtractionError } from '../errors.ts';
import { findAttachment } from '../mail/mailbox.ts';
import { MAX_LEVELS } from './members.ts';
import { createKeyring, type Keyring } from '../keyring.ts';
import { openProtected } from '../open-protected.ts';
import type { FileType } from '../types.ts';
import { inflateMember, listZip } from './zip-archive.ts';
import { unlockMember } from './zip-decryption.ts';

/** The file at `path` within an archive or mail. Throws {@link ExtractionError} if it is missing. */
export async function memberOf(
  bytes: Uint8Array,
  path: string,
  keyring = createKeyring(),
): Promise<{ bytes: Uint8Array; fileName: string; type: FileType }> {
  let container = bytes;
  let remaining = path;
  for (let level = 1; level <= MAX_LEVELS; level += 1) {
    container = openProtected(container, keyring);
    const member = isZip(container)
      ? await findInZip(container, remaining, keyring)
      : await findAttachment(container, remaining);
    if (member === null) break;
    if (member.path === remaining) {
      const fileName = remaining.slice(remaining.lastIndexOf('/') + 1);
      const type = await detectType(member.bytes.subarray(0, HEAD_BYTES), fileName);
      if (type === null) break;
      return { bytes: member.bytes, fileName, type };
    }
    container = member.bytes;
    remaining = remaining.slice(member.path.length + 1);
  }
  throw new ExtractionError(
    'unsupported',
    'This file does not contain a readable file with this path.',
  );
}

const isZip = ([first, second]: Uint8Array): boolean => first === 0x50 && second === 0x4b;

async function findInZip(
  bytes: Uint8Array,
  path: string,
  keyring: Keyring,
): Promise<{ path: string; bytes: Uint8Array } | null> {
  const { members } = await listZip(bytes);
  const match =
    members.find((member) => member.path === path) ??
    members.find((member) => path.startsWith(`${member.path}/`));
  return match === undefined
    ? null
    : { path: match.path, bytes: inflateMember(unlockMember(match, keyring)) };
}
