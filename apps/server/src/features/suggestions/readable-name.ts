export const MOST_CHARACTERS = 80;

const CAMERA = /^(?:img|dsc[nf]?|pxl|vid|mov|scan|gopr|dji|screenshot|bildschirmfoto)[\s\d]/iu;
const CODE = /^(?=.*\d)[\da-f]{6,}$|^(?=.*\d)(?=.*\p{L})[\p{L}\d]{12,}$/iu;

/** A short text on one line, without invisible characters. */
function oneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, MOST_CHARACTERS).join('').trim();
}

/**
 * A file name without its ending and with spaces instead of underscores and hyphens. Empty for names
 * that cameras or programs generate.
 */
export function readableName(fileName: string): string {
  const bare = fileName.replace(/(?<=.)\.[\p{L}\d]{1,5}$/u, '');
  const spaced = oneLine(
    bare
      .replaceAll(/_+|%20|(?<=\p{L})[-‐‑]+|(?<![-‐‑])[-‐‑]+(?=\p{L})/gu, ' ')
      .replaceAll(/\s+/gu, ' '),
  );
  const words = spaced.split(' ').filter((word) => !CODE.test(word));
  return CAMERA.test(spaced) || !words.some((word) => /\p{L}{2}/u.test(word)) ? '' : spaced;
}
