import type { PdfLine } from './lines.ts';
import { median } from './recognized.ts';

interface Edges {
  top: Edge[];
  foot: Edge[];
}

interface Edge {
  line: PdfLine;
  key: string;
}

/** Pages compared on each side, because chapters have their own headers. */
export const PAGES_COMPARED = 6;
/** Maximum lines at the top and bottom, up to a quarter of the page. */
const MAX_EDGES = 4;
/** Maximum height difference on two pages, in points. */
const MAX_HEIGHT_DIFFERENCE = 9;
const MAX_SIZE_RATIO = 1.35;
const MAX_CELLS = 3;
/** A page number, unlike the numbers in 'Invoice 1001' or 'Invoice 2026-1001'. */
const PAGE_NUMBER =
  /(?:^|[\t|·•] ?|(?<=^|\s)[/–—-] ?|第 ?|(?<!\p{L})(?:page|pg|p|seite|s|página|pág|pagina|pag|стр|strona|sida|side|sayfa)\.? ?)(?<number>\d+)(?: ?(?:of|von|de|di|sur|из|z|\/|\|) ?\d+)?(?: ?(?:页|頁|ページ))?(?=$|[\t|·•]| [|·•/–—-])/giu;

/** A key of a line in which numbers may change. */
function headerKey(text: string): string {
  if (/^[ivxlc]{1,7}$/iu.test(text)) return '#';
  return text.replace(/\d+/g, '#').replace(/\s+/gu, ' ').toLowerCase();
}

/** Finds headers and footers, which repeat on nearby pages. */
export function createHeaderFinder(pages: number) {
  const known = new Map<number, Edges>();
  const seen = new Set<string>();
  const needed = pages > 3 ? 2 : 1;

  const others = (page: number, side: keyof Edges, { line, key }: Edge): Map<number, string> => {
    const texts = new Map<number, string>();
    for (const [number, edges] of known) {
      if (number === page || Math.abs(number - page) > PAGES_COMPARED) continue;
      const same = edges[side].find(
        (edge) => edge.key === key && Math.abs(edge.line.y - line.y) <= MAX_HEIGHT_DIFFERENCE,
      );
      if (same) texts.set(number, same.line.text);
    }
    return texts;
  };

  return {
    add(page: number, lines: readonly PdfLine[]): void {
      known.set(page, edgesOf(lines));
      known.delete(page - 2 * PAGES_COMPARED - 1);
    },
    /** Headers and footers of a page: new and repeated ones. */
    of(page: number): { first: PdfLine[]; repeated: PdfLine[] } {
      const edges = known.get(page) ?? { top: [], foot: [] };
      const result: { first: PdfLine[]; repeated: PdfLine[] } = { first: [], repeated: [] };
      for (const side of ['top', 'foot'] as const) {
        for (const edge of edges[side]) {
          const same = others(page, side, edge);
          // Text above is not a header.
          if (same.size < needed) break;
          const counts = [...same].some(([other, text]) =>
            countsUp(edge.line.text, text, other - page),
          );
          // 'Exhibit 4' is kept each time, unlike 'Page 4'.
          const known = counts ? edge.line.text.replace(PAGE_NUMBER, '#') : edge.line.text;
          const isNew = /\p{L}/u.test(edge.key) && !seen.has(known);
          seen.add(known);
          (isNew ? result.first : result.repeated).push(edge.line);
        }
      }
      return result;
    },
  };
}

/** Whether the page numbers of two lines are equal or differ as the pages do. */
function countsUp(text: string, other: string, pages: number): boolean {
  const otherNumbers = pageNumbers(other);
  return pageNumbers(text).every((number, index) => {
    const step = (otherNumbers[index] ?? NaN) - number;
    return step === 0 || step === pages;
  });
}

function pageNumbers(text: string): number[] {
  return [...text.matchAll(PAGE_NUMBER)].map(({ groups }) => Number(groups?.['number']));
}

function edgesOf(lines: readonly PdfLine[]): Edges {
  const upright = lines.filter((line) => line.angle === 0);
  const usual = median(upright.map((line) => line.size));
  const byHeight = upright.toSorted((a, b) => b.y - a.y);
  const take = (from: PdfLine[]): Edge[] => {
    const edges: Edge[] = [];
    for (const line of from.slice(0, Math.min(MAX_EDGES, Math.ceil(from.length / 4)))) {
      const key = headerKey(line.text);
      const figures = !/\p{L}/u.test(key) && (line.cells.length > 1 || line.text.length > 6);
      if (figures || line.cells.length > MAX_CELLS || line.size > usual * MAX_SIZE_RATIO) break;
      edges.push({ line, key });
    }
    return edges;
  };
  return { top: take(byHeight), foot: take(byHeight.toReversed()) };
}
