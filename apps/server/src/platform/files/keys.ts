export const originalKey = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}/original`;

export const artifactPrefix = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}`;

export const thumbnailKey = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}/thumbnail`;

/** Results of the OCR and transcription of a file, until it is ready. */
export const supplementsPrefix = (userId: string, artifactId: string): string =>
  `${userId}/${artifactId}/supplements`;
