import type { Made } from './template.ts';
import type { Passage } from '../types.ts';

const PLAIN = /^[\p{L}\p{M}][\p{L}\p{M}\p{N}'’&, -]*$/u;
/** Headings that every document has. */
const EMPTY =
  /^(?:introduction|overview|summary|conclusions?|references|appendix|contents|table of contents|abstract|notes?|general|miscellaneous|other|background|results?|discussion|methods?|acknowledge?ments|einleitung|zusammenfassung|fazit|inhalt|inhaltsverzeichnis|anhang|allgemeines|sonstiges|literatur|überblick|hinweise|introducción|resumen|conclusión|anexo|résumé|sommaire|annexe|item|part|section|chapter|kapitel|teil|page|slide|sheet|tabelle|day|step|tag)(?: [\divx]+)?$/iu;
const NUMBERED = /^(?:§ ?)?(?:\d+(?:\.\d+)*|[IVX]+)[.):]?\s+/u;
const WORDS = { least: 2, most: 7 } as const;
const LONGEST_TITLE = 60;

const wordsIn = (text: string): number => text.split(/\s+/u).length;

/** A file's name as a title within a sentence; null where it is a code or says nothing. */
export function titleOf({ fileName }: Pick<Passage, 'fileName'>): string | null {
  const bare = fileName
    .replace(/\.[\p{L}\d]{1,5}$/u, '')
    .replaceAll(/[_\s]+|(?<=\p{L})-(?=\p{L})/gu, ' ')
    .trim();
  const words = bare.split(' ');
  const plain = words.every((word) => /^(?:\p{L}{2,}|\d{4}|\p{Lu})$/u.test(word));
  return plain && words.some((word) => /\p{L}{3}/u.test(word)) && bare.length <= LONGEST_TITLE
    ? bare
    : null;
}

/** What a section of a document says of what its heading names; null where that says nothing. */
export function questionOfSection(passage: Passage, language: string): Made | null {
  const heading = (passage.headings.at(-1) ?? '')
    .replace(NUMBERED, '')
    .replace(/(?<![.:])[.:]+$/u, '')
    .trim();
  const title = titleOf(passage);
  const count = wordsIn(heading);
  // The first heading of a file is its title.
  if (
    title === null ||
    (passage.ordinal === 0 && passage.headings.length < 2) ||
    count > WORDS.most ||
    heading.length < 6
  )
    return null;
  if (!PLAIN.test(heading) || EMPTY.test(heading) || heading.toLowerCase() === title.toLowerCase())
    return null;
  if (heading === heading.toUpperCase() || (language !== 'de' && count < WORDS.least)) return null;
  const question = ASKS.get(language)?.(title, heading);
  return question === undefined ? null : { question, template: 'section' };
}

/** 'the lease agreement', but 'Lease of Rosenthaler Strasse': capitals make a name of it. */
const named = (title: string): string => (/\p{Lu}/u.test(title) ? `“${title}”` : `the ${title}`);

const ASKS: ReadonlyMap<string, (title: string, heading: string) => string> = new Map([
  ['en', (title: string, heading: string) => `What does ${named(title)} say about “${heading}”?`],
  ['de', (title: string, heading: string) => `Was steht in „${title}“ zum Thema ${heading}?`],
  ['fr', (title: string, heading: string) => `Que dit « ${title} » sur le sujet « ${heading} » ?`],
  ['es', (title: string, heading: string) => `¿Qué dice «${title}» sobre el tema «${heading}»?`],
]);

/** The question for all that files say of a name they hold; null in languages that inflect names. */
export function questionOfName(name: string, language: string): Made | null {
  const question = ABOUT.get(language)?.(name);
  return question === undefined ? null : { question, template: 'about' };
}

const ABOUT: ReadonlyMap<string, (name: string) => string> = new Map([
  ['en', (name: string) => `What do my files say about ${name}?`],
  ['de', (name: string) => `Was steht in meinen Dateien über ${name}?`],
  ['fr', (name: string) => `Que disent mes fichiers sur ${name} ?`],
  ['es', (name: string) => `¿Qué dicen mis archivos sobre ${name}?`],
  ['ja', (name: string) => `${name}について何が書かれていますか？`],
]);
