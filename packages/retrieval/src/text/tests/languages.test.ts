import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../languages/index.ts';
import { detectLanguage } from '../languages.ts';

/** The fields of a pack at any depth, such as 'time.last'. */
const fieldsOf = (value: unknown, prefix = ''): string[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? []
    : Object.entries(value).flatMap(([name, field]) => [
        prefix + name,
        ...fieldsOf(field, `${prefix}${name}.`),
      ]);

/** Fields with free names, such as units. */
const FREE = /^(?:measures|periods|time\.phrases)\./u;

/** Fields that only one language has. */
const RARE_FIELDS = [
  'afterOrdinal',
  'answerKinds',
  'claims.beforeName',
  'claims.commonEnding',
  'claims.lacks',
  'irregular',
  'secretLabels',
  'sentenceOpeners',
  'time.ambiguous',
  'time.lead',
  'time.on',
  'time.units.day',
  'time.weekdays',
];

test('a misspelled field of a language pack is detected', () => {
  const users = Map.groupBy(
    LANGUAGES.flatMap((pack) => fieldsOf(pack)).filter((field) => !FREE.test(field)),
    (field) => field,
  );
  const unusual = [...users].filter(([, { length }]) => length === 1).map(([field]) => field);
  expect(unusual.toSorted()).toEqual(RARE_FIELDS);
});

describe('detectLanguage', () => {
  test.each([
    ['The rent is due on the first day of every month and is paid by bank transfer.', 'en'],
    ['Die Miete ist am ersten Tag des Monats fällig und wird überwiesen.', 'de'],
    ['La facture est payable à trente jours, fin de mois, par virement.', 'fr'],
    ['Договор аренды был подписан в Москве первого сентября этого года.', 'ru'],
    ['東京は日本の首都です。', 'ja'],
    ['北京是中国的首都。', 'zh'],
    ['서울은 대한민국의 수도입니다.', 'ko'],
    ['مرحبا بكم في المدينة القديمة على شاطئ البحر', 'ar'],
    ['שלום לכולם', 'he'],
  ])('the language is detected: %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });

  test.each(['', '42', 'ok', 'INV-2024-001', '\n\t'])('%j is too short to tell', (text) => {
    expect(detectLanguage(text)).toBe('en');
  });
});
