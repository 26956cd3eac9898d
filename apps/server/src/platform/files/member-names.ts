/** File systems allow 255 bytes, and a number may be added. */
const NAME_BYTES = 240;

/** Names that Windows reserves for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/iu;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The first bytes of a text in UTF-8. A streaming decoder drops an incomplete character. */
const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });

function split(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  const hasEnding = dot > 0 && bytesOf(name.slice(dot)) <= 20;
  return hasEnding ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

function safeName(fileName: string): string {
  const plain = fileName
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
  const used = new Set<string>();
  const nextOf = new Map<string, number>();
  // Many file systems ignore case.
  const keyOf = (name: string): string => name.toLowerCase();

  return (fileName) => {
    const base = safeName(fileName);
    let name = base;
    const [stem, ending] = split(base);
    for (let n = nextOf.get(keyOf(base)) ?? 2; used.has(keyOf(name)); n += 1) {
      name = `${stem} (${n})${ending}`;
      nextOf.set(keyOf(base), n + 1);
    }
    used.add(keyOf(name));
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
