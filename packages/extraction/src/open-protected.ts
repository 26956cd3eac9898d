import type { Keyring } from './keyring.ts';
import { isCompoundFile, streamNames } from './office/compound-file.ts';
import { openEncryptedOdf } from './office/encrypted-odf.ts';
import { openEncryptedPackage } from './office/encrypted-package.ts';

/**
 * The document in a file that is encrypted as a whole, or the file as it is. PDFs and members of zips
 * are opened where they are read. Throws {@link ExtractionError} if no password opens it.
 */
export function openProtected(bytes: Uint8Array, keyring: Keyring): Uint8Array {
  if (isCompoundFile(bytes) && streamNames(bytes)?.includes('EncryptedPackage')) {
    return openEncryptedPackage(bytes, keyring);
  }
  return openEncryptedOdf(bytes, keyring);
}
