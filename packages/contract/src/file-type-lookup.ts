import {
  FILE_TYPES,
  type FileKind,
  type FileType,
  type FileTypeEntry,
  SPOKEN_KINDS,
  type SpokenKind,
} from './file-types.ts';

const entries: Readonly<Record<FileType, FileTypeEntry>> = FILE_TYPES;

export const fileTypes = Object.keys(entries) as FileType[];

const byEnding = new Map(fileTypes.flatMap((type) => entries[type].endings.map((e) => [e, type])));
const byMediaType = new Map(
  fileTypes.flatMap((type) => entries[type].mediaTypes.map((media) => [media, type])),
);

export const fileTypeEntry = (type: FileType): FileTypeEntry => entries[type];

/** The label of the icon of a type, up to four letters. */
export const fileTypeIcon = (type: FileType): string =>
  entries[type].icon ?? entries[type].endings[0].toUpperCase();

/** The media type for serving files of a type. */
export const mediaTypeOf = (type: FileType): string => entries[type].mediaTypes[0];

export const typesOfKind = (...kinds: FileKind[]): ReadonlySet<FileType> =>
  new Set(fileTypes.filter((type) => kinds.includes(entries[type].kind)));

/** The types that users mean by a word. */
export const typesSpokenOf = (kind: SpokenKind): FileType[] =>
  fileTypes.filter((type) => SPOKEN_KINDS[entries[type].kind] === kind);

/** The extension of a name: a letter and up to nine letters or digits; '' without. */
const endingOf = (fileName: string): string =>
  /\.([a-z][a-z\d]{0,9})$/iu.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';

/** The type by the extension of a name, or null. */
export const typeOfName = (fileName: string): FileType | null =>
  byEnding.get(endingOf(fileName)) ?? null;

/** The type by a media type, with or without parameters, or null. */
export const typeOfMedia = (mediaType: string): FileType | null =>
  byMediaType.get(mediaType.toLowerCase().split(';', 1)[0]?.trim() ?? '') ?? null;

/** Whether a name has an extension that Engram does not accept: 'page.xml', not '.profile'. */
export const hasForeignEnding = (fileName: string): boolean =>
  endingOf(fileName.trim().slice(1)) !== '' && typeOfName(fileName) === null;

/** Types with more extensions are listed with 'and others'. */
const MAX_ENDINGS = 9;

/** A list of types for users: 'PDF, Word (docx, doc), text (txt), JPEG'. */
export function listTypes(types: readonly FileType[] = fileTypes): string {
  const named = new Map<string, FileType[]>();
  for (const type of types) {
    const { name } = entries[type];
    named.set(name, [...(named.get(name) ?? []), type]);
  }
  const texts = [...named].map(([name, sameNamed]) => {
    const endings = sameNamed.map((type) => {
      const [first, ...others] = entries[type].endings;
      return others.length >= MAX_ENDINGS ? `${first} and others` : first;
    });
    const namesExtension = sameNamed.length === 1 && isEnding(name, sameNamed[0]);
    return namesExtension ? name : `${name} (${endings.join(', ')})`;
  });
  return texts.join(', ');
}

const isEnding = (name: string, type: FileType | undefined): boolean =>
  type !== undefined && entries[type].endings.includes(name.toLowerCase());

const mediaNames = fileTypes
  .filter((type) => entries[type].size === 'media')
  .map((type) => entries[type].name);

/** The types with the smaller size limit: 'JPEG, PNG, GIF and MP4'. */
export const mediaTypesText = `${mediaNames.slice(0, -1).join(', ')} and ${mediaNames.at(-1)}`;
