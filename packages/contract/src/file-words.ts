/** What a person sees of a file's reading: it can be searched, is being read, or could not be read. */
export const fileStates = ['ready', 'reading', 'failed'] as const;
export type FileState = (typeof fileStates)[number];

/** The ways in which files come in. */
export const fileSources = ['Web', 'Text', 'API', 'Connector', 'Share'] as const;
export type FileSource = (typeof fileSources)[number];
