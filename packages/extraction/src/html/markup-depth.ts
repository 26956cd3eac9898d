import { Tokenizer } from 'htmlparser2';
import { FLATTENED_DEPTH, MAX_DEPTH } from '../limits.ts';

const toSet = (names: string): Set<string> => new Set(names.split(' '));

/** Elements without content. */
const VOID = toSet(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
);
/** Elements that end before the key's element begins, as in the HTML parser. */
const ENDS_BEFORE = new Map<string, ReadonlySet<string>>();
for (const [ended, begun] of [
  ['tr th td', 'tr'],
  ['th', 'th'],
  ['thead th td', 'td'],
  ['head link script', 'body'],
  ['li', 'li'],
  ['option', 'option'],
  ['optgroup option', 'optgroup'],
  ['dd dt', 'dd dt'],
  ['rt rp', 'rt rp'],
  ['thead tbody', 'tbody tfoot'],
  ['option optgroup select button datalist textarea', 'select output button datalist textarea'],
  [
    'p',
    'p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
  ],
] as const) {
  for (const name of begun.split(' ')) ENDS_BEFORE.set(name, toSet(ended));
}

/** Limits nesting to {@link MAX_DEPTH} in linear time, because parsers recurse. All text stays. */
export function boundDepth(source: string, { xml }: { xml: boolean }): string {
  const out: string[] = [];
  const open: string[] = [];
  const counts = new Map<string, number>();
  /** The index in `open` of the first element that is open in the output. */
  let flattenedLevels = FLATTENED_DEPTH;
  let copied = 0;
  let current = '';

  const countOf = (name: string): number => counts.get(name) ?? 0;
  const popTo = (length: number): void => {
    while (open.length > length) {
      const name = open.pop() ?? '';
      counts.set(name, countOf(name) - 1);
    }
  };
  const push = (name: string): void => {
    flattenedLevels = Math.max(FLATTENED_DEPTH, Math.min(flattenedLevels, open.length));
    open.push(name);
    counts.set(name, countOf(name) + 1);
  };
  const closeEarly = (from: number, position: number): void => {
    out.push(source.slice(copied, position));
    for (let index = open.length - 1; index >= from; index -= 1) out.push(`</${open[index]}>`);
    copied = position;
  };
  const nameAt = (start: number, end: number): string => {
    const name = source.slice(start, end);
    return xml ? name : name.toLowerCase();
  };
  const ignore = (): void => {};

  const tokenizer = new Tokenizer(
    { xmlMode: xml, decodeEntities: false },
    {
      onopentagname(start, end) {
        current = nameAt(start, end);
        const ended = xml ? undefined : ENDS_BEFORE.get(current);
        while (ended?.has(open.at(-1) ?? '') === true) popTo(open.length - 1);
        if (!xml && VOID.has(current)) return;
        if (open.length - flattenedLevels >= MAX_DEPTH - FLATTENED_DEPTH) {
          closeEarly(flattenedLevels, start - 1);
          flattenedLevels = open.length;
        }
        push(current);
      },
      onselfclosingtag() {
        const closes = xml || countOf('svg') + countOf('math') > 0;
        if (closes && open.at(-1) === current) popTo(open.length - 1);
      },
      onclosetag(start, end) {
        const name = nameAt(start, end);
        if (countOf(name) === 0) return;
        const level = open.lastIndexOf(name);
        if (level >= FLATTENED_DEPTH && level < flattenedLevels) {
          // This element was closed early, so the elements inside it are closed here.
          closeEarly(flattenedLevels, source.lastIndexOf('</', start));
          const close = source.indexOf('>', end);
          copied = close === -1 ? source.length : close + 1;
        }
        popTo(level);
      },
      onopentagend: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return out.length === 0 ? source : out.join('') + source.slice(copied);
}
