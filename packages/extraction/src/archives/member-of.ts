import { detectType, HEAD_BYTES } from '../detect.ts';
import { ExtractionError } from '../errors.ts';
import { attachmentOnTheWay } from '../mail/mailbox.ts';
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
  let holder = bytes;
  let rest = path;
  for (let level = 1; level <= MAX_LEVELS; level += 1) {
    holder = openProtected(holder, keyring);
    const found = isZip(holder)
      ? await memberOnTheWay(holder, rest, keyring)
      : await attachmentOnTheWay(holder, rest);
    if (found === null) break;
    if (found.path === rest) {
      const fileName = rest.slice(rest.lastIndexOf('/') + 1);
      const type = await detectType(found.bytes.subarray(0, HEAD_BYTES), fileName);
      if (type === null) break;
      return { bytes: found.bytes, fileName, type };
    }
    holder = found.bytes;
    rest = rest.slice(found.path.length + 1);
  }
  throw new ExtractionError('unsupported', 'This file holds no such file that can be read.');
}

const isZip = ([first, second]: Uint8Array): boolean => first === 0x50 && second === 0x4b;

async function memberOnTheWay(
  bytes: Uint8Array,
  path: string,
  keyring: Keyring,
): Promise<{ path: string; bytes: Uint8Array } | null> {
  const { members } = await listZip(bytes);
  const found =
    members.find((member) => member.path === path) ??
    members.find((member) => path.startsWith(`${member.path}/`));
  return found === undefined
    ? null
    : { path: found.path, bytes: inflateMember(unlockMember(found, keyring)) };
}
