/** As much of a Markdown tree's node as is looked at here. */
interface MarkdownNode {
  type: string;
  value?: string;
  align?: (string | null)[] | null;
  children?: MarkdownNode[];
}

/** A number, an amount or a share, with its unit. */
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

function visit(node: MarkdownNode): void {
  if (node.type === 'table') alignFigures(node);
  else node.children?.forEach(visit);
}

/** A remark plugin: columns of nothing but figures stand to the right, one below the other. */
export const remarkFigures = () => visit;
