/** A pattern of LIKE for texts in which another one stands, letter for letter. */
export const containing = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
