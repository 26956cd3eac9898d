import { attribute, descendants, parseXml } from '../html/markup.ts';
import { type OfficeParts, partText } from './zip-package.ts';

/** A part that another refers to. */
export interface Relation {
  path: string;
  /** The last step of the relation's type: 'slide', 'notesSlide', 'chart', 'image'. */
  type: string;
}

/** What a part of an Office file refers to, by the names it gives them. */
export function relations(parts: OfficeParts, path: string): Map<string, Relation> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const source = partText(parts, `${folder}_rels/${path.slice(folder.length)}.rels`);
  const found = new Map<string, Relation>();
  if (source === null) return found;
  for (const node of descendants(parseXml(source), 'relationship')) {
    const target = attribute(node, 'Target') ?? '';
    const type = (attribute(node, 'Type') ?? '').replace(/^.*\//, '');
    // The origin only serves to resolve '../': nothing is ever fetched.
    const url = URL.canParse(target, `file:///${folder}`)
      ? new URL(target, `file:///${folder}`)
      : null;
    if (url?.protocol === 'file:') {
      found.set(attribute(node, 'Id') ?? '', { path: decoded(url.pathname.slice(1)), type });
    }
  }
  return found;
}

/** A path as the zip names it: what a URL escapes stands there as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
