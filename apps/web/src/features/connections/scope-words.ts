import type { AccessScope } from '@engram/contract';

/** What a program may do, in the words of the list of connections. */
export const shortWords = (scopes: readonly AccessScope[]): string =>
  scopes.includes('files:write') ? 'Reads and changes your files' : 'Reads your files';

interface Permission {
  text: string;
  isAllowed: boolean;
}

/** What a program with these scopes may do, and what not. Tools for assistants only add texts. */
export const permissionsOf = (scopes: readonly AccessScope[], toolsOnly: boolean): Permission[] => [
  { text: 'Read your files, and search them', isAllowed: true },
  toolsOnly
    ? { text: 'Ask questions, which are kept in your history', isAllowed: true }
    : { text: 'Ask questions, and see the answers you got before', isAllowed: true },
  {
    text: toolsOnly
      ? 'Add texts as new files'
      : 'Upload, tag, archive and delete files, keywords and answers',
    isAllowed: scopes.includes('files:write'),
  },
  { text: 'Change your profile, make keys, or delete your account', isAllowed: false },
];
