import { fieldsAt } from '../analysis/fields.ts';
import type { Field } from '../analysis/fields.ts';
import { kindOfValue, questionOfField, questionsOfCell } from './labels.ts';
import type { Made } from './template.ts';

/** A column that says what its row is about. */
const KEY =
  /^(?:(?:full |guest |product |item |plant |film |book |host )?name|product|item|title|film|movie|book|plant|employee|customer|guest|host|city|country|project|task|dish|nom|produit|producto|nombre|artículo|artikel|produkt|name|bezeichnung|kunde|mitarbeiter|stadt|projekt|商品|商品名|名前|品名)$/iu;
const FIRST_NAME = /^(?:first ?name|given ?name|vorname|prénom)$/iu;
const LAST_NAME = /^(?:last ?name|surname|family ?name|nachname|familienname)$/iu;
const LONGEST_KEY = 50;

/** What parts a name from its value, or a cell from the next. */
const SET_APART = /[:：·|\t]|\s{2}/u;

/** The questions that a line of a form or a table answers. */
export function questionsOfLine(
  text: string,
  start: number,
  end: number,
  language: string,
): Made[] {
  if (!SET_APART.test(text.slice(start, end))) return [];
  const fields = fieldsAt(text, start, end).filter(
    ({ name, value }) => name !== '' && value !== '',
  );
  const [only] = fields;
  if (only === undefined) return [];
  if (fields.length === 1) {
    const question = questionOfField(only.name, only.value, language);
    return question === null ? [] : [{ question, template: `field-${kindOfValue(only.value)}` }];
  }
  return questionsOfRow(fields, language);
}

function keyOf(fields: readonly Field[]): { key: string; columns: readonly Field[] } | null {
  const first = fields.find(({ name }) => FIRST_NAME.test(name));
  const last = fields.find(({ name }) => LAST_NAME.test(name));
  if (first && last) {
    return {
      key: `${first.value} ${last.value}`,
      columns: fields.filter((one) => one !== first && one !== last),
    };
  }
  const key = fields.find(({ name }) => KEY.test(name));
  return key === undefined
    ? null
    : { key: key.value, columns: fields.filter((one) => one !== key) };
}

function questionsOfRow(fields: readonly Field[], language: string): Made[] {
  const found = keyOf(fields);
  if (found === null || found.key.length > LONGEST_KEY) return [];
  if (!/^[\p{L}][\p{L}\p{N}'’.&()/, -]*$/u.test(found.key) || !/\p{L}{2}/u.test(found.key))
    return [];
  return found.columns.flatMap(({ name, value }): Made[] => {
    if (
      value.length < 2 ||
      value.length > LONGEST_KEY ||
      /^(?:n\/?a|none|-+|yes|no|true|false)$/iu.test(value)
    ) {
      return [];
    }
    return questionsOfCell(name, value, found.key, language);
  });
}

/** A question that two rows of one table answer together; null where they are not alike. */
export function comparisonOf(a: string, b: string, language: string): string | null {
  const [one, two] = [CELL.exec(a), CELL.exec(b)];
  if (language !== 'en' || one === null || two === null || one[1] !== two[1] || one[2] === two[2]) {
    return null;
  }
  return `${one[1] ?? ''} ${one[2] ?? ''} and of ${two[2] ?? ''}?`;
}

const CELL = /^(?=.*\?$)(What is the [\p{L} ]+ of) (.+)\?$/u;
