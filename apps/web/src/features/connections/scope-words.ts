import type { AccessScope } from '@engram/contract';

/** What a program may do, in the words of the list of connections. */
export const shortWords = (scopes: readonly AccessScope[]): string =>
  scopes.includes('files:write') ? 'Reads and changes your files' : 'Reads your files';

interface Permission {
  text: string;
  isAllowed: boolean;
}

/** What a program could do once it is let in, and what it could not. */
export const permissionsOf = (scopes: readonly AccessScope[]): Permission[] => [
  { text: 'Read your files, and search them', isAllowed: true },
  { text: 'Ask questions, and see the answers you got before', isAllowed: true },
  scopes.includes('files:write')
    ? { text: 'Upload, tag, archive and delete files, keywords and answers', isAllowed: true }
    : { text: 'Change or delete anything', isAllowed: false },
  { text: 'Change your profile, make keys, or delete your account', isAllowed: false },
];
