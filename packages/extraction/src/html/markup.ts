import { DOMParser, parseHTML } from 'linkedom';
import { boundDepth } from './markup-depth.ts';

export interface MarkupNode {
  readonly nodeType: number;
  /** Upper case in HTML. As written in XML, with the prefix. */
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly firstChild: MarkupNode | null;
  readonly nextSibling: MarkupNode | null;
  readonly parentNode: MarkupNode | null;
  getAttribute?(name: string): string | null;
}

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

/** Parses HTML without loading or running anything. The root includes text outside the body. */
export function parseHtmlDocument(html: string): { title: string; root: MarkupNode } {
  // linkedom ignores everything after a document type.
  const page = html.replace(/<!doctype[^<>]*>/gi, '');
  const withBody = /<body[\s>]/i.test(page) ? page : `<html><body>${page}</body></html>`;
  const bounded = boundDepth(withBody, { xml: false });
  const root = parseHTML(bounded).document as unknown as MarkupNode;
  return { title: descendant(root, 'title')?.textContent ?? '', root };
}

/** Parses XML. Entities that it declares are never resolved. */
export function parseXml(xml: string): MarkupNode {
  const plain = boundDepth(xml.replace(/<!doctype[^<>[\]]*>/i, ''), { xml: true });
  return new DOMParser().parseFromString(plain, 'text/xml') as unknown as MarkupNode;
}

export function isElement(node: MarkupNode): boolean {
  return node.nodeType === ELEMENT;
}

function isText(node: MarkupNode): boolean {
  return node.nodeType === TEXT || node.nodeType === CDATA;
}

/** The lower-case name without prefix: 'p' for '<a:p>' and '<P>'. */
export function localName(node: MarkupNode): string {
  const name = node.nodeName;
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

const ESCAPES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

export function attribute(node: MarkupNode, name: string): string | null {
  const value = node.getAttribute?.(name) ?? null;
  // linkedom leaves escapes in XML attributes. Names of HTML elements are in upper case.
  const raw = value?.includes('&') === true && node.nodeName !== node.nodeName.toUpperCase();
  return raw ? value.replace(/&(?:amp|lt|gt|quot|apos);/g, (code) => ESCAPES[code] ?? code) : value;
}

export function* children(node: MarkupNode): Generator<MarkupNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child;
}

/** Elements that are not read: scripts, styles and controls. */
const SKIPPED = new Set(
  'script style template noscript svg math iframe object embed canvas audio video title base link meta select option datalist button input textarea progress meter dialog'.split(
    ' ',
  ),
);

export function isHidden(node: MarkupNode, name: string): boolean {
  if (SKIPPED.has(name) || attribute(node, 'hidden') !== null) return true;
  if (attribute(node, 'aria-hidden') === 'true') return true;
  const style = attribute(node, 'style');
  return style !== null && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);
}

interface Visitor {
  enter(node: MarkupNode): boolean;
  leave?(node: MarkupNode): void;
  text?(text: string): void;
}

/** Walks all nodes below `root` in document order, without recursion. */
export function walk(root: MarkupNode, visitor: Visitor): void {
  let node: MarkupNode | null = root.firstChild;
  while (node !== null && node !== root) {
    let inside: MarkupNode | null = null;
    if (isText(node)) visitor.text?.(node.nodeValue ?? '');
    else if (isElement(node)) {
      if (visitor.enter(node)) inside = node.firstChild;
      if (inside === null) visitor.leave?.(node);
    }
    if (inside !== null) {
      node = inside;
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      if (node !== null && node !== root) visitor.leave?.(node);
    }
    node = node === null || node === root ? null : node.nextSibling;
  }
}

export function descendants(root: MarkupNode, name: string): MarkupNode[] {
  const matches: MarkupNode[] = [];
  walk(root, {
    enter(node) {
      if (localName(node) === name) matches.push(node);
      return true;
    },
  });
  return matches;
}

export function descendant(root: MarkupNode, name: string): MarkupNode | null {
  return descendants(root, name)[0] ?? null;
}
