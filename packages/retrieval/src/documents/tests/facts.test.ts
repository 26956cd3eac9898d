import { expect, test } from 'vitest';
import { documentOf } from '../../tests/library.test-setup.ts';
import type { TestFile } from '../../tests/library.test-setup.ts';
import { factsOf } from '../facts.ts';

const heading = (text: string) => ({ text, kind: 'heading' as const });

function factsIn(name: string, blocks: TestFile['blocks'], language = 'en') {
  const document = documentOf({ name, blocks });
  return { facts: factsOf(document, { fileName: name, title: null, language }) };
}

test('a letter is recognized by its date line, address and closing', () => {
  const { facts } = factsIn('scan 12.pdf', [
    'Harbour Water Ltd – customer service',
    'Plymouth, 6 March 2023',
    'Ms Ines Calder\n4 Quay Lane',
    heading('Your meter'),
    'Dear Ms Calder,',
    'We read your meter on 2 February 2023. Please send a photograph by 30 April 2023.',
    'Yours sincerely\nTobias Renn',
  ]);
  expect(facts.kind).toBe('letter');
  expect(facts.date).toBe('2023-03-06');
});

test('an amendment has its own date, and not that of the contract it amends', () => {
  const { facts } = factsIn('brook-amendment-2.pdf', [
    'Amendment no. 2',
    'to the lease of 1 May 2021 between Brook Estates Ltd and Ines Calder',
    '14 January 2024',
    'With effect from 1 February 2024 the rent becomes £730.',
  ]);
  expect(facts).toMatchObject({ kind: 'amendment', version: '2', date: '2024-01-14' });
});

test('a version is read from the file name', () => {
  const { facts } = factsIn('garden-offer_v3.docx', [
    heading('Offer: terrace and steps'),
    'Dear Ines, this replaces my offer of 2 June. The total is now £2,400.',
  ]);
  expect(facts).toMatchObject({ kind: 'offer', version: 'v3', title: 'Offer: terrace and steps' });
});

test.each([
  ['kontoauszug-2023.csv', 'Datum · Text · Saldo\n01.02.2023 · Miete · 12,00', 'de', 'statement'],
  ['mv.pdf', 'Mietvertrag über Wohnraum\nzwischen Anna Vogt und Karl Timm', 'de', 'contract'],
  ['f.pdf', 'Facture n° 2023-18\nDate de facturation : 3 mai 2023', 'fr', 'invoice'],
  ['orc.pdf', 'Orçamento 118\nObra na cozinha', 'pt', 'offer'],
  ['x.pdf', 'Póliza de seguro de hogar', 'es', 'policy'],
  ['y.pdf', 'Busta paga marzo 2023', 'it', 'payslip'],
  ['z.pdf', 'Notulen van de vergadering van 4 maart 2023', 'nl', 'minutes'],
  ['notes.txt', 'milk, eggs\nring the plumber', 'en', null],
])('the kind of %s is recognized in its own language', (name, text, language, kind) => {
  expect(factsIn(name, [text], language).facts.kind).toBe(kind);
});

test.each([
  ['de', 'Bremen, den 9. September 2024', '2024-09-09'],
  ['fr', 'Nantes, le 5 juin 2023', '2023-06-05'],
  ['es', 'Vigo, 3 de abril de 2022', '2022-04-03'],
  ['pt', 'Braga, 29 de janeiro de 2024', '2024-01-29'],
  ['it', 'Torino, 7 marzo 2021', '2021-03-07'],
  ['nl', 'Utrecht, 12 oktober 2020', '2020-10-12'],
])('the date line of a letter in %s is read', (language, line, day) => {
  expect(factsIn('brief.pdf', ['Ina Holt', line, '1.1.2019 1234'], language).facts.date).toBe(day);
});

test.each([
  ['ja', '2024年5月'],
  ['ko', '2024년 5월'],
])('a title that names only a month in %s gives its first day', (language, title) => {
  expect(factsIn('report.pdf', [title, 'A line of text'], language).facts.date).toBe('2024-05-01');
});

test('birth dates, payment dates and dates in table rows are not the date of the document', () => {
  const patient = factsIn('a.pdf', [
    'Re: Ines Calder, born 14 May 1981',
    'Please pay until 3 June 2024.',
  ]);
  expect(patient.facts.date).toBeNull();
  const rows = [
    'Date · What · Sum',
    'Date: 03/01/2024 · What: rent · Sum: 3',
    'Date: 04/01/2024 · What: tea · Sum: 1',
  ];
  const table = factsIn('book 2024-02-29.xlsx', [
    rows.join('\n'),
    'Date: 05/01/2024 · What: rent · Sum: 3',
  ]);
  expect(table.facts.date).toBe('2024-02-29');
});

test('an email has the date on which it was written, and its subject as title', () => {
  const { facts } = factsIn('m.eml', [
    'Subject: New time\nFrom: Tobias Renn <t@renn.example>\nTo: Ines Calder <i@calder.example>\nDate: Thu, 02 Oct 2023 07:00:00 +0100',
    'Dear Ines,\nwe meet on 12 October 2023 instead of 5 October.',
  ]);
  expect(facts).toMatchObject({ kind: 'mail', title: 'New time', date: '2023-10-02' });
});

test('a letter about an invoice is not an invoice', () => {
  const { facts } = factsIn(
    'brief.pdf',
    [
      'Ina Holt GmbH',
      'Ihre Rechnung 118',
      'Sehr geehrte Frau Calder,\ndanke.',
      'Mit freundlichen Grüßen\nIna Holt',
    ],
    'de',
  );
  expect(facts.kind).toBe('letter');
});
