const NAME_LIMIT = 255;

/** The last part of a path without control characters, never empty. It is not used as a path. */
export function cleanFileName(path = ''): string {
  const last = path.normalize('NFC').split(/[/\\]/u).at(-1) ?? '';
  // Direction overrides could make 'gpj.exe' look like 'exe.jpg'.
  const visible = last
    .replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const name = /^\.*$/u.test(visible) ? 'file' : visible;
  if (name.length <= NAME_LIMIT) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : '';
  const stem = name.slice(0, NAME_LIMIT - extension.length).toWellFormed();
  return stem.replaceAll('\ufffd', '') + extension;
}

/** Removes slashes, which look like folders, and periods, which look like an extension. */
const withoutPaths = (text: string): string =>
  text.replaceAll(/[/\\]+|\.+(?=[\s./\\]|$)/gu, ' ').trim();

export const nameOfTitle = (title: string, extension = '.txt'): string =>
  cleanFileName(`${withoutPaths(title) || 'Note'}${extension}`);

export function nameOfText(text: string): string {
  const words = withoutPaths(text).split(/\s+/u).slice(0, 8).join(' ');
  const short = words.length > 60 ? `${words.slice(0, 60).trimEnd()}…` : words;
  return `${cleanFileName(short || 'Note')}.txt`;
}

/** The new name of a file, with the extension of its current name. */
export function withExtensionOf(current: string, name: string): string {
  const extension = /[^.](\.[^.\s]{1,19})$/u.exec(current)?.[1] ?? '';
  const hasExtension =
    name.toLowerCase().endsWith(extension.toLowerCase()) && name.length > extension.length;
  return cleanFileName(hasExtension ? name : name + extension);
}
