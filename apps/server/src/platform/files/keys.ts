/** Where the bytes of an artifact are kept in the file store. Ids are the server's own UUIDs. */
export const originalKey = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}/original`;

/** All that is kept of an artifact in the file store. */
export const artifactPrefix = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}`;

/** Where the small picture of an artifact is kept, a WebP. */
export const thumbnailKey = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}/thumbnail`;

/** Where what is made for a file's slow reading is kept until the file is ready. */
export const supplementsPrefix = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}/supplements`;
