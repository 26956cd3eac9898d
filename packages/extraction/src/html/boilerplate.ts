import { attribute, isHidden, localName, type MarkupNode, walk } from './markup.ts';

/** Counts of an element: visible letters and digits, links, and controls. */
const EMPTY = {
  letters: 0,
  /** Letters in the text of links, without those in headings and terms. */
  linked: 0,
  links: 0,
  local: 0,
  sponsored: 0,
  controls: 0,
  cookies: false,
};
type Content = typeof EMPTY;

const GROUPS = new Set(
  'aside center div dl fieldset footer form header ol p section table tbody td tr ul'.split(' '),
);
const NAVIGATION_NAMES = new Set(['nav', 'menu']);
const NAVIGATION_ROLES = new Set(['navigation', 'search', 'menu', 'menubar', 'dialog']);
const WRAPPERS = new Set(
  'html body div section main article center table tbody tr td form'.split(' '),
);
/** A link in these is not navigation. */
const LABELS = new Set('h1 h2 h3 h4 h5 h6 dt'.split(' '));

/** An element with a larger share of the text is the page itself. */
const MIN_PAGE_SHARE = 0.5;
const MIN_LINKS = 3;
/** The minimum share of link text in a list of links. */
const LINK_DENSITY = 0.7;
/** A page with a smaller share of other text consists of links. */
const MIN_TEXT_SHARE = 0.3;
const MAIN_SHARE = 0.7;
const MAX_BANNER_LETTERS = 1500;

/**
 * Finds navigation, lists of links outside the main part, cookie banners and paid links. Uses link
 * density (Kohlschütter et al., 'Boilerplate detection using shallow text features', WSDM 2010).
 */
export function findBoilerplate(root: MarkupNode) {
  const contents = measure(root);
  const total = contents.get(root) ?? EMPTY;
  const allLinks = total.letters - total.linked < MIN_TEXT_SHARE * total.letters;
  const main = mainPart(root, contents, total);
  const boilerplate = new Set<MarkupNode>();
  let letters = 0;
  let insideMain = false;
  walk(root, {
    enter(node) {
      if (node === main) insideMain = true;
      const content = contents.get(node);
      if (content === undefined || content.letters === 0) return false;
      const isPage = content.letters > MIN_PAGE_SHARE * total.letters;
      const isBoilerplate =
        !isPage &&
        (isNavigation(node) ||
          isBanner(node, content) ||
          (!allLinks && isLinkList(node, content, insideMain)));
      if (!isBoilerplate) return true;
      boilerplate.add(node);
      letters += content.letters;
      return false;
    },
    leave(node) {
      if (node === main) insideMain = false;
    },
  });
  return { has: (node: MarkupNode) => boilerplate.has(node), letters };
}

function measure(root: MarkupNode): Map<MarkupNode, Content> {
  const contents = new Map<MarkupNode, Content>();
  const total = { ...EMPTY };
  const open: Content[] = [total];
  contents.set(root, total);
  let links = 0;
  let labels = 0;
  walk(root, {
    enter(node) {
      const name = localName(node);
      const content = { ...EMPTY };
      open.push(content);
      if (name === 'button' || attribute(node, 'role') === 'button') content.controls += 1;
      if (isHidden(node, name)) return false;
      contents.set(node, content);
      if (name === 'a') countLink(node, content);
      if (isLink(node, name)) links += 1;
      if (LABELS.has(name)) labels += 1;
      return true;
    },
    leave(node) {
      const name = localName(node);
      const content = open.pop();
      const parent = open.at(-1);
      if (content === undefined || parent === undefined) return;
      if (contents.has(node)) {
        if (isLink(node, name)) links -= 1;
        if (LABELS.has(name)) labels -= 1;
      }
      add(parent, content);
    },
    text(data) {
      const content = open.at(-1);
      if (content === undefined) return;
      const letters = data.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
      content.letters += letters;
      if (links > 0 && labels === 0) content.linked += letters;
      if (/\bcookies?\b/iu.test(data)) content.cookies = true;
    },
  });
  return contents;
}

const isLink = (node: MarkupNode, name: string): boolean =>
  name === 'a' && attribute(node, 'href') !== null;

function countLink(node: MarkupNode, content: Content): void {
  const href = attribute(node, 'href');
  if (href === null) return;
  content.links += 1;
  if (href.startsWith('#')) content.local += 1;
  if (/\bsponsored\b/i.test(attribute(node, 'rel') ?? '')) content.sponsored += 1;
}

function add(parent: Content, content: Content): void {
  for (const name of ['letters', 'linked', 'links', 'local', 'sponsored', 'controls'] as const) {
    parent[name] += content[name];
  }
  parent.cookies ||= content.cookies;
}

/** The element marked as main, or the smallest one with most of the text. */
function mainPart(
  root: MarkupNode,
  contents: ReadonlyMap<MarkupNode, Content>,
  total: Content,
): MarkupNode {
  const text = total.letters - total.linked;
  let main = root;
  let isMarked = false;
  walk(root, {
    enter(node) {
      const content = contents.get(node);
      const name = localName(node);
      if (isMarked || content === undefined || !WRAPPERS.has(name)) return false;
      const isMain = name === 'main' || attribute(node, 'role') === 'main';
      const share = (content.letters - content.linked) / Math.max(1, text);
      if (share < (isMain ? MIN_PAGE_SHARE : MAIN_SHARE)) return false;
      main = node;
      isMarked = isMain;
      return !isMain;
    },
  });
  return main;
}

function isNavigation(node: MarkupNode): boolean {
  return (
    NAVIGATION_NAMES.has(localName(node)) || NAVIGATION_ROLES.has(attribute(node, 'role') ?? '')
  );
}

function isBanner(node: MarkupNode, content: Content): boolean {
  if (!GROUPS.has(localName(node)) || content.letters > MAX_BANNER_LETTERS) return false;
  if (content.cookies && content.controls > 0) return true;
  return content.sponsored > 0 && content.sponsored === content.links;
}

function isLinkList(node: MarkupNode, content: Content, insideMain: boolean): boolean {
  if (!GROUPS.has(localName(node)) || content.links < MIN_LINKS) return false;
  if (content.linked < LINK_DENSITY * content.letters) return false;
  // Links within the main part are content, unless they lead to headings of the page.
  return !insideMain || content.local >= LINK_DENSITY * content.links;
}
