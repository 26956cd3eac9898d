/** As much of a Markdown tree's node as is looked at here. */
interface MarkdownNode {
  type: string;
  value?: string;
  /** What the author wrote between the brackets of a reference. */
  label?: string | null;
  children?: MarkdownNode[];
  data?: { hName: string; hProperties: Record<string, string> };
}

const REFERENCE = /\[(\d{1,3})\]/gu;

const citation = (n: string): MarkdownNode => ({
  type: 'citation',
  data: { hName: 'cite', hProperties: { 'data-n': String(Number(n)) } },
  children: [],
});

function splitText(value: string): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let at = 0;
  for (const match of value.matchAll(REFERENCE)) {
    if (match.index > at) nodes.push({ type: 'text', value: value.slice(at, match.index) });
    nodes.push(citation(match[1]!));
    at = match.index + match[0].length;
  }
  if (at < value.length) nodes.push({ type: 'text', value: value.slice(at) });
  return nodes;
}

function splitNode(node: MarkdownNode): MarkdownNode[] {
  if (node.type === 'text') return splitText(node.value ?? '');
  // A text that defines `[1]: https://…` must not turn a citation into a link of its own.
  if (node.type === 'linkReference' && /^\d{1,3}$/u.test(node.label ?? '')) {
    return [citation(node.label!)];
  }
  replaceReferences(node);
  return [node];
}

function replaceReferences(node: MarkdownNode): void {
  const children = node.children?.flatMap(splitNode);
  if (!children) return;
  children.forEach((child, index) => {
    // The number stands right behind its word, as in print.
    if (child.type === 'text' && children[index + 1]?.type === 'citation') {
      child.value = child.value?.trimEnd() ?? '';
    }
  });
  node.children = children;
}

/** A remark plugin: each `[n]` of the text becomes an element `cite` with `data-n`. */
export const remarkCitations = () => replaceReferences;
