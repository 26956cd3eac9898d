type Attribute = string | number | boolean | null | undefined;
type Handler = (event: never) => unknown;
type Props = Record<string, Attribute | Handler>;
export type Child = Node | string | false | null | undefined;

const SVG = 'http://www.w3.org/2000/svg';

function setProps(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') Object.assign(element, { [name]: value });
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
}

const isProps = (part: Props | Child): part is Props =>
  typeof part === 'object' && part !== null && !(part instanceof Node);

/**
 * Creates an element by its tag and classes, such as `p.hint`. Its attributes may follow, and its
 * children. Strings become text nodes and are never parsed as HTML.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  ...[first, ...others]: [Props, ...Child[]] | Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElement(tag as K);
  element.classList.add(...classes);
  if (tag === 'button') element.setAttribute('type', 'button');
  if (isProps(first)) setProps(element, first);
  const children = isProps(first) ? others : [first, ...others];
  element.append(
    ...(children.filter((child) => child instanceof Node || Boolean(child)) as (Node | string)[]),
  );
  return element;
}

/** An icon of 24 units, by the paths of its lines. Screen readers skip it. */
export function drawIcon(paths: readonly string[]): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  setProps(svg, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' });
  for (const d of paths) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

/** Handlers are copied from the new element. */
const HANDLERS = ['onclick', 'onsubmit'] as const;
type Handling = Partial<Record<(typeof HANDLERS)[number], unknown>>;

function morphAttributes(old: Element, next: Element): void {
  for (const name of old.getAttributeNames()) {
    // Details that the user has opened stay open.
    const isOpened = name === 'open' && old instanceof HTMLDetailsElement;
    if (!next.hasAttribute(name) && !isOpened) old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const [from, to] = [next as Handling, old as Handling];
  for (const name of HANDLERS) to[name] = from[name];
}

/** The name of a node, and what distinguishes it from others of that name. */
const identityOf = (node: Node): string => {
  const { key, own } = node instanceof HTMLElement ? node.dataset : {};
  return [node.nodeName, key, own].join();
};

/**
 * Makes one element like another by changing only what is different. The focus, the input and the
 * scroll position of the user stay.
 */
export function morph(old: Node, next: Node): void {
  if (!(old instanceof Element) || !(next instanceof Element)) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  // A form stays unchanged, because the user may have begun to fill it in.
  if (old.hasAttribute('data-own')) return;
  morphAttributes(old, next);
  const [unused, nextChildren] = [[...old.childNodes], [...next.childNodes]];
  let position: ChildNode | null = old.firstChild;
  for (const child of nextChildren) {
    const index = unused.findIndex((candidate) => identityOf(candidate) === identityOf(child));
    const [match] = index === -1 ? [] : unused.splice(index, 1);
    const current = match ?? child;
    if (current === position) position = position.nextSibling;
    else old.insertBefore(current, position);
    if (match) morph(match, child);
  }
  for (const node of unused) node.remove();
}
