/** Maximum length of a file name in bytes: file systems allow 255, and a number may be added. */
const NAME_BYTES = 240;

/** Names that Windows reserves for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/iu;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The beginning of a text, up to a number of bytes in UTF-8. A streaming decoder drops half characters. */
const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });

function split(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  const hasEnding = dot > 0 && bytesOf(name.slice(dot)) <= 20;
  return hasEnding ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

function safeName(given: string): string {
  const plain = given
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[/\\:*?"<>|\p{Cc}\p{Cf}]/gu, '_')
    .trimStart()
    .replace(/(?<![\s.])[\s.]+$/u, '');
  const name = plain === '' ? 'file' : plain.replace(DEVICES, '_$&');
  const [stem, ending] = split(name);
  return cut(stem, NAME_BYTES - bytesOf(ending)) + ending;
}

export function createMemberNames(): (fileName: string) => string {
  const taken = new Set<string>();
  const nextOf = new Map<string, number>();
  // Many file systems ignore case.
  const keyOf = (name: string): string => name.toLowerCase();

  return (fileName) => {
    const wanted = safeName(fileName);
    let name = wanted;
    const [stem, ending] = split(wanted);
    for (let n = nextOf.get(keyOf(wanted)) ?? 2; taken.has(keyOf(name)); n += 1) {
      name = `${stem} (${n})${ending}`;
      nextOf.set(keyOf(wanted), n + 1);
    }
    taken.add(keyOf(name));
    return name;
  };
}

export function createMemberPaths(): (file: { fileName: string; path: string | null }) => string {
  const namesIn = new Map<string, (fileName: string) => string>();
  return ({ fileName, path }) => {
    const folder = (path ?? '')
      .split('/')
      .slice(0, -1)
      .map((name) => `${safeName(name)}/`)
      .join('');
    const key = folder.toLowerCase();
    const nameOf = namesIn.get(key) ?? createMemberNames();
    namesIn.set(key, nameOf);
    return folder + nameOf(fileName);
  };
}
