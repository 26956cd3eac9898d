interface MarkdownNode {
  type: string;
  value?: string;
  label?: string | null;
  align?: (string | null)[] | null;
  children?: MarkdownNode[];
  data?: { hName: string; hProperties: Record<string, string> };
}

/** The number of a source, or the mark of an unverified sentence. */
const REFERENCE = /\[(\d{1,3}|unverified)\]/gu;
const LABEL = /^(?:\d{1,3}|unverified)$/u;

const citation = (n: string): MarkdownNode => ({
  type: 'citation',
  data: { hName: 'cite', hProperties: { 'data-n': String(Number(n)) } },
  children: [],
});

const unverifiedMark = (): MarkdownNode => ({
  type: 'unverified',
  data: { hName: 'small', hProperties: { 'data-unverified': 'mark' } },
  children: [],
});

const markOf = (label: string): MarkdownNode =>
  label === 'unverified' ? unverifiedMark() : citation(label);

const SPACE: MarkdownNode = { type: 'text', value: ' ' };

function trimEnds(nodes: readonly MarkdownNode[]): void {
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (first?.value !== undefined) first.value = first.value.trimStart();
  if (last?.value !== undefined) last.value = last.value.trimEnd();
}

/** Wraps the text between the previous mark and the mark of an unverified sentence. */
function wrapUnverified(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const wrapped: MarkdownNode[] = [];
  for (const node of nodes) {
    if (node.type === 'unverified') {
      const from = wrapped.findLastIndex(({ type }) =>
        /^(?:citation|unverified|break)$/u.test(type),
      );
      const children = wrapped.splice(from + 1);
      if (children.length > 0) {
        const data = { hName: 'span', hProperties: { 'data-unverified': 'sentence' } };
        trimEnds(children);
        wrapped.push(SPACE, { type: 'sentence', data, children }, SPACE);
      }
    }
    wrapped.push(node);
  }
  return wrapped;
}

function splitText(value: string): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let offset = 0;
  for (const match of value.matchAll(REFERENCE)) {
    if (match.index > offset) nodes.push({ type: 'text', value: value.slice(offset, match.index) });
    nodes.push(markOf(match[1]!));
    offset = match.index + match[0].length;
  }
  if (offset < value.length) nodes.push({ type: 'text', value: value.slice(offset) });
  return nodes;
}

function splitNode(node: MarkdownNode): MarkdownNode[] {
  if (node.type === 'text') return splitText(node.value ?? '');
  // A text that defines `[1]: https://…` must not replace the link of a citation.
  if (node.type === 'linkReference' && LABEL.test(node.label ?? '')) return [markOf(node.label!)];
  replaceReferences(node);
  return [node];
}

function replaceReferences(node: MarkdownNode): void {
  const children = node.children?.flatMap(splitNode);
  if (!children) return;
  children.forEach((child, index) => {
    // As in print, no space precedes the number.
    if (child.type === 'text' && children[index + 1]?.type === 'citation') {
      child.value = child.value?.trimEnd() ?? '';
    }
  });
  node.children = wrapUnverified(children);
}

/**
 * A remark plugin. Each `[n]` becomes an element `cite` with `data-n`, each `[unverified]` an
 * element `small`, and the sentence before it a `span`, both with `data-unverified`.
 */
export const remarkCitations = () => replaceReferences;

/** A number, an amount or a percentage, with its unit. */
const FIGURE = /^[\p{Sc}A-Z]{0,3}\s?[+−-]?\s?\p{Sc}?\d[\d.,'\s]*[\p{Sc}%A-Z]{0,3}$/u;

const textOf = ({ value = '', children = [] }: MarkdownNode): string =>
  value + children.map(textOf).join('');

function alignFigures(table: MarkdownNode): void {
  const [, ...rows] = table.children ?? [];
  table.align = (table.align ?? []).map((align, column) => {
    const cells = rows.map(({ children }) => textOf(children?.[column] ?? { type: 'text' }).trim());
    const filled = cells.filter(Boolean);
    const isFigures = filled.length > 0 && filled.every((cell) => FIGURE.test(cell));
    return align ?? (isFigures ? 'right' : null);
  });
}

function alignTables(node: MarkdownNode): void {
  if (node.type === 'table') alignFigures(node);
  else node.children?.forEach(alignTables);
}

/** A remark plugin that right-aligns columns of numbers. */
export const remarkFigures = () => alignTables;
