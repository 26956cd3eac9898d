import type { PdfDocument } from './engine.ts';

export interface Bookmark {
  key: string;
  depth: number;
  /** Target height in points, or null. */
  top: number | null;
}

/** Bookmarks by page from 1. 0 for unknown targets. */
type Outline = Map<number, Bookmark[]>;

const MAX_BOOKMARKS = 2000;
const MAX_DEPTH = 6;
/** Page lookups are slow. Further bookmarks are matched by title. */
const MAX_LOOKUPS = 600;

/** A key of a title without white space, numbering and punctuation. */
export function titleKey(title: string): string {
  return title
    .normalize('NFKC')
    .replace(
      /^(?:chapter|section|part|item|appendix)?\s*(?:\d+(?:\.\d+)*|[ivxlc]+)[.):\s]+(?=\S)/iu,
      '',
    )
    .replace(/[\s.:,–—-]+/gu, '')
    .toLowerCase();
}

interface Entry {
  title: string;
  dest?: string | unknown[] | null;
  items?: Entry[];
}

export async function outlineOf(document: PdfDocument): Promise<Outline> {
  try {
    const entries = flatten(((await document.getOutline()) ?? []) as unknown as Entry[]);
    const places = await Promise.all(
      entries.map(({ entry }, index) =>
        index < MAX_LOOKUPS ? placeOf(document, entry.dest) : Promise.resolve(NOWHERE),
      ),
    );
    const outline: Outline = new Map();
    for (const [index, { entry, depth }] of entries.entries()) {
      const { page, top } = places[index] ?? NOWHERE;
      const key = titleKey(entry.title);
      if (key.length < 2) continue;
      outline.set(page, [...(outline.get(page) ?? []), { key, depth, top }]);
    }
    return outline;
  } catch {
    // Broken outlines are ignored.
    return new Map();
  }
}

function flatten(outermost: Entry[]): { entry: Entry; depth: number }[] {
  const flat: { entry: Entry; depth: number }[] = [];
  let level = outermost;
  for (let depth = 1; level.length > 0 && depth <= MAX_DEPTH; depth += 1) {
    for (const entry of level) {
      if (flat.length < MAX_BOOKMARKS && typeof entry.title === 'string')
        flat.push({ entry, depth });
    }
    level = level.flatMap((entry) => entry.items ?? []);
  }
  return flat;
}

const NOWHERE: { page: number; top: number | null } = { page: 0, top: null };

async function placeOf(
  document: PdfDocument,
  dest: Entry['dest'],
): Promise<{ page: number; top: number | null }> {
  try {
    const explicit = typeof dest === 'string' ? await document.getDestination(dest) : dest;
    if (!Array.isArray(explicit)) return NOWHERE;
    const [target, fit, ...numbers] = explicit as [
      unknown,
      { name?: string } | undefined,
      ...unknown[],
    ];
    const index =
      typeof target === 'number'
        ? target
        : await document.getPageIndex(target as Parameters<PdfDocument['getPageIndex']>[0]);
    const top = fit?.name === 'XYZ' ? numbers[1] : fit?.name === 'FitH' ? numbers[0] : null;
    return { page: index + 1, top: typeof top === 'number' ? top : null };
  } catch {
    return NOWHERE;
  }
}
