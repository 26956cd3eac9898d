import {
  FILE_TYPES,
  type FileKind,
  type FileType,
  type FileTypeEntry,
  SPOKEN_KINDS,
  type SpokenKind,
} from './file-types.ts';

const entries: Readonly<Record<FileType, FileTypeEntry>> = FILE_TYPES;

/** Every type, in the order in which they are listed. */
export const fileTypes = Object.keys(entries) as FileType[];

const byEnding = new Map(fileTypes.flatMap((type) => entries[type].endings.map((e) => [e, type])));
const byMediaType = new Map(
  fileTypes.flatMap((type) => entries[type].mediaTypes.map((media) => [media, type])),
);

/** What the table says of a type. */
export const fileTypeEntry = (type: FileType): FileTypeEntry => entries[type];

/** What stands on the icon of a type: at most four letters. */
export const fileTypeIcon = (type: FileType): string =>
  entries[type].icon ?? entries[type].endings[0].toUpperCase();

/** The media type that files of a type are served with. */
export const mediaTypeOf = (type: FileType): string => entries[type].mediaTypes[0];

/** The types of some kinds. */
export const typesOfKind = (...kinds: FileKind[]): ReadonlySet<FileType> =>
  new Set(fileTypes.filter((type) => kinds.includes(entries[type].kind)));

/** The types that people mean by a word. */
export const typesSpokenOf = (kind: SpokenKind): FileType[] =>
  fileTypes.filter((type) => SPOKEN_KINDS[entries[type].kind] === kind);

/** The end of a name as people know it: a letter and up to nine letters or digits; '' without. */
const endingOf = (fileName: string): string =>
  /\.([a-z][a-z\d]{0,9})$/iu.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';

/** The type that a name says, or null. */
export const typeOfName = (fileName: string): FileType | null =>
  byEnding.get(endingOf(fileName)) ?? null;

/** The type that a media type says, parameters or not, or null. */
export const typeOfMedia = (mediaType: string): FileType | null =>
  byMediaType.get(mediaType.toLowerCase().split(';', 1)[0]?.trim() ?? '') ?? null;

/** Whether a name ends like files of a type that Engram does not take: 'page.xml', not '.profile'. */
export const hasForeignEnding = (fileName: string): boolean =>
  endingOf(fileName.trim().slice(1)) !== '' && typeOfName(fileName) === null;

/** Types as they are listed on screen: 'PDF, Word (docx, doc), text (txt), JPEG'. */
export function listTypes(types: readonly FileType[] = fileTypes): string {
  const named = new Map<string, FileType[]>();
  for (const type of types) {
    const { name } = entries[type];
    named.set(name, [...(named.get(name) ?? []), type]);
  }
  const texts = [...named].map(([name, alike]) => {
    const endings = alike.map((type) => entries[type].endings[0]);
    const says = alike.length === 1 && isEnding(name, alike[0]);
    return says ? name : `${name} (${endings.join(', ')})`;
  });
  return texts.join(', ');
}

const isEnding = (name: string, type: FileType | undefined): boolean =>
  type !== undefined && entries[type].endings.includes(name.toLowerCase());

const mediaNames = fileTypes
  .filter((type) => entries[type].size === 'media')
  .map((type) => entries[type].name);

/** The types of the smaller limit: 'JPEG, PNG, GIF and MP4'. */
export const mediaTypesText = `${mediaNames.slice(0, -1).join(', ')} and ${mediaNames.at(-1)}`;
