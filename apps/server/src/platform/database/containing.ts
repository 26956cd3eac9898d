/** A pattern of LIKE for texts that contain another one. */
export const containing = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
