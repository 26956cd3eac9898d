import { viewOf } from '../../bytes.ts';

const BULLET = 23;
const NOTHING = 255;
const LIST_BYTES = 28;
const USE_BYTES = 16;
const LEVELS = 9;

interface Level {
  start: number;
  kind: number;
}

export type WordLists = ReturnType<typeof wordLists>;

/** Counts the items of lists ([MS-DOC] 2.9.131, 2.9.132). Paragraphs refer to `uses` by number. */
export function wordLists(lists: Uint8Array, uses: Uint8Array) {
  const levels = levelsOf(lists);
  const ids = idsOf(uses);
  const counts = new Map<number, (number | undefined)[]>();
  return {
    /** The marker of the next item: '- ', '3. ' or nothing. Null if there is no such list. */
    next(use: number, depth: number): string | null {
      const id = ids[use - 1];
      const list = id === undefined ? undefined : levels.get(id);
      if (id === undefined || list === undefined || depth >= LEVELS) return null;
      const { start, kind } = list[Math.min(depth, list.length - 1)] ?? { start: 1, kind: BULLET };
      if (kind === BULLET) return '- ';
      if (kind === NOTHING) return '';
      // An item restarts the numbers of the deeper levels.
      const count = (counts.get(id) ?? []).slice(0, depth + 1);
      const number = (count[depth] ?? start - 1) + 1;
      count[depth] = number;
      counts.set(id, count);
      return `${number}. `;
    },
  };
}

function idsOf(uses: Uint8Array): number[] {
  if (uses.length < 4) return [];
  const view = viewOf(uses);
  const count = Math.min(view.getUint32(0, true), Math.floor((uses.length - 4) / USE_BYTES));
  return Array.from({ length: count }, (_, index) => view.getInt32(4 + index * USE_BYTES, true));
}

function levelsOf(lists: Uint8Array): Map<number, Level[]> {
  const levelsById = new Map<number, Level[]>();
  if (lists.length < 2) return levelsById;
  const view = viewOf(lists);
  const count = Math.min(view.getUint16(0, true), Math.floor((lists.length - 2) / LIST_BYTES));
  let offset = 2 + count * LIST_BYTES;
  for (let list = 0; list < count; list += 1) {
    const head = 2 + list * LIST_BYTES;
    const simple = (view.getUint8(head + 26) & 1) === 1;
    const levels: Level[] = [];
    for (let level = 0; level < (simple ? 1 : LEVELS); level += 1) {
      if (offset + LIST_BYTES > lists.length) return levelsById;
      const start = view.getInt32(offset, true);
      levels.push({ start, kind: view.getUint8(offset + 4) });
      const text = offset + LIST_BYTES + view.getUint8(offset + 24) + view.getUint8(offset + 25);
      if (text + 2 > lists.length) break;
      offset = text + 2 + 2 * view.getUint16(text, true);
    }
    levelsById.set(view.getInt32(head, true), levels);
  }
  return levelsById;
}
