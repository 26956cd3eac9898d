type Attribute = string | number | boolean | null | undefined;
type Handler = (event: never) => unknown;
export type Props = Record<string, Attribute | Handler>;
export type Child = Node | string | number | null | false | undefined;

const SVG = 'http://www.w3.org/2000/svg';

/** What a person does with an element is handed on when its next look takes its place. */
const HANDLERS = ['onclick', 'onsubmit', 'onchange', 'oninput'] as const;
type Handling = Partial<Record<(typeof HANDLERS)[number], unknown>>;

function setProps(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') Object.assign(element, { [name]: value });
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
}

const shown = (children: readonly Child[]): (Node | string)[] =>
  children
    .filter((child) => child !== null && child !== false && child !== undefined && child !== '')
    .map((child) => (typeof child === 'number' ? String(child) : (child as Node | string)));

/** Makes an element. Texts become text nodes: nothing that is shown is ever read as HTML. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setProps(element, props);
  element.append(...shown(children));
  return element;
}

/** A drawing of 24 units, by the paths of its lines; hidden from who listens. */
export function drawing(paths: readonly string[]): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  setProps(svg, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' });
  for (const d of paths) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

function morphAttributes(old: Element, next: Element): void {
  // These lists change while they are gone through.
  const [before, after] = [[...old.attributes], [...next.attributes]];
  for (const { name } of before) {
    // What a person has opened stays open.
    const isTheirs = name === 'open' && old instanceof HTMLDetailsElement;
    if (!next.hasAttribute(name) && !isTheirs) old.removeAttribute(name);
  }
  for (const { name, value } of after) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const [from, to] = [next as Handling, old as Handling];
  for (const name of HANDLERS) to[name] = from[name];
}

const keyOf = (node: Node): string | null =>
  node instanceof Element ? node.getAttribute('data-key') : null;

const ownOf = (node: Node): string | null =>
  node instanceof Element ? node.getAttribute('data-own') : null;

const fits = (old: Node, next: Node): boolean =>
  old.nodeName === next.nodeName && keyOf(old) === keyOf(next) && ownOf(old) === ownOf(next);

/**
 * Makes one element look like another by changing only what is different: the focus, what was typed
 * and where the person is on the page stay.
 */
export function morph(old: Node, next: Node): void {
  if (!(old instanceof Element) || !(next instanceof Element)) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  // A form belongs to the person who fills it in: its fields and what reads them stay together.
  if (old.hasAttribute('data-own')) return;
  morphAttributes(old, next);
  const [left, wished] = [[...old.childNodes], [...next.childNodes]];
  let place: ChildNode | null = old.firstChild;
  for (const child of wished) {
    const at = left.findIndex((candidate) => fits(candidate, child));
    const [found] = at === -1 ? [] : left.splice(at, 1);
    const kept = found ?? child;
    if (kept === place) place = place.nextSibling;
    else old.insertBefore(kept, place);
    if (found) morph(found, child);
  }
  for (const gone of left) gone.remove();
}
