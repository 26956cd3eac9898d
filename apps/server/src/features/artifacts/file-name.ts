/** In characters. */
const NAME_LIMIT = 255;

/**
 * The last part of a path without control characters, never empty. The name is shown and searched, and
 * never used as a path.
 */
export function cleanFileName(given: string | undefined): string {
  const last = (given ?? '').normalize('NFC').split(/[/\\]/u).at(-1) ?? '';
  // Direction overrides could make 'gpj.exe' look like 'exe.jpg'.
  const visible = last
    .replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const name = /^\.*$/u.test(visible) ? 'file' : visible;
  if (name.length <= NAME_LIMIT) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : '';
  return (
    name
      .slice(0, NAME_LIMIT - ending.length)
      .toWellFormed()
      .replaceAll('\ufffd', '') + ending
  );
}

/** Removes slashes, which look like folders, and full stops, which look like an ending. */
const withoutPaths = (text: string): string =>
  text.replaceAll(/[/\\]+|\.+(?=[\s./\\]|$)/gu, ' ').trim();

export const nameOfTitle = (title: string, ending = '.txt'): string =>
  cleanFileName(`${withoutPaths(title) || 'Note'}${ending}`);

export function nameOfText(text: string): string {
  const plain = withoutPaths(text);
  const words = plain.split(/\s+/u).slice(0, 8).join(' ');
  const short = words.length > 60 ? `${words.slice(0, 60).trimEnd()}…` : words;
  return `${cleanFileName(short || 'Note')}.txt`;
}

const endingOf = (name: string): string =>
  /[^.]\.([^.\s]{1,19})$/u.test(name) ? name.slice(name.lastIndexOf('.')) : '';

/** A new name for a file, which keeps its ending. */
export function renamed(before: string, given: string): string {
  const ending = endingOf(before);
  const has = given.toLowerCase().endsWith(ending.toLowerCase()) && given.length > ending.length;
  return cleanFileName(has ? given : given + ending);
}
