import { calendarNames } from './calendar.ts';
import { packOf } from './index.ts';
import type { QuestionForm } from './language.ts';

/** What questions are made of: a value with its name, a sentence, a heading. */
export type FormKind = 'fields' | 'sentences' | 'headings';

type Forms = Readonly<Record<FormKind, readonly { says: RegExp; asks: string }[]>>;

const CAPITAL = String.raw`\p{Lu}[\p{L}.'’-]*`;

/** What patterns may name in `<>`. All but `subject` and `label` are what answers the question. */
const FRAGMENTS: Readonly<Record<string, string>> = {
  subject: String.raw`(?<subject>[\p{L}\p{N}][\p{L}\p{N}'’.&-]*(?: [\p{L}\p{N}'’.&-]+){0,6}?)(?: \([^()]{1,60}\))?`,
  label: String.raw`(?:[\p{L}’'-]+ ){0,3}`,
  person: String.raw`(?<value>\p{Lu}[\p{L}.'’-]+(?: (?:(?:de|van|von|der|la|of) )?${CAPITAL}){1,3})(?![\p{L}\p{N}])`,
  date: String.raw`(?<value>\d{4}-\d\d-\d\d|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}|(?:\p{L}+,? )?\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?(?:<month>)(?:,? (?:de )?\d{4})?|(?:<month>) (?:\d{1,2}(?:, \d{4})?|\d{4})|(?:1\d|20)\d\d)(?![\p{L}\p{N}])`,
  money: String.raw`(?<value>[€$£¥₽]\s?\d[\d.,]*|\d[\d.,' ]*(?: ?[€$£¥₽円]| (?:EUR|USD|GBP|CHF|[Ee]uros?|Mark|dollars|pounds|francs|рубл\p{L}+)))`,
  count: String.raw`(?<value>\d[\d.,]*|\p{L}+)`,
  code: String.raw`(?<value>[\p{Lu}\p{N}+(][^\s,;]*(?: [\p{L}\p{N}€%/.()+-]+){0,4})$`,
};

const compiled = new Map<string, Forms>();

/** The forms of a language, ready to be matched. */
export function questionForms(language: string): Forms {
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const names = calendarNames([language]).full.split('|');
  const month = names.map((name) =>
    name.replace(/^\p{Ll}/u, (letter) => `[${letter.toUpperCase()}${letter}]`),
  );
  const compile = (list: readonly QuestionForm[] = []) =>
    list.map(([says, asks]) => {
      const source = says
        .replace(/<([a-z]+)>/gu, (_, name: string) => FRAGMENTS[name] ?? '(?!)')
        .replaceAll('<month>', month.join('|') || '(?!)');
      return { says: new RegExp(`^(?:${source})`, 'u'), asks };
    });
  const { fields, sentences, headings } = packOf(language).recommended ?? {};
  const forms = {
    fields: compile(fields),
    sentences: compile(sentences),
    headings: compile(headings),
  };
  compiled.set(language, forms);
  return forms;
}
