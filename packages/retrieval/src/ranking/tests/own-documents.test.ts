import { expect, test } from 'vitest';
import { findPassages } from '../../tests/library.test-setup.ts';
import { hasFirstPerson, isOwnDocument, rankPassages } from '../rank.ts';

/** A manual that matches as well as the user's own notes, and is ranked first. */
const FILES = [
  { name: 'boiler-service.html', blocks: ['The pressure of the boiler is 2.1 bar.'] },
  { name: 'boiler-service.md', blocks: ['The pressure of the boiler is 1.4 bar.'] },
];

function firstFor(text: string): string | undefined {
  const { question, passages } = findPassages(FILES, text);
  const isOwn = (id: string): boolean =>
    hasFirstPerson(question) &&
    isOwnDocument({ kind: null, fileName: id === 'artifact-0' ? 'a.html' : 'a.md' });
  return rankPassages(question, passages, { isOwn })[0]?.fileName;
}

test("a question about the user's own things prefers the user's own documents", () => {
  expect(firstFor('What is the pressure of our boiler?')).toBe('boiler-service.md');
});

test('other questions keep the order of the search results', () => {
  expect(firstFor('What is the pressure of the boiler?')).toBe('boiler-service.html');
});

test.each([
  ['What is the pressure of our boiler?', true],
  ['How much do I pay?', true],
  ['Wie hoch ist der Druck in meiner Heizung?', true],
  ['Quelle est la pression de ma chaudière ?', true],
  ['What is the pressure of the boiler?', false],
  ['Wie hoch ist der Druck in der Heizung?', false],
])('"%s" is about the user’s own things: %s', (text, isOwn) => {
  expect(hasFirstPerson({ text })).toBe(isOwn);
});

test.each([
  [{ fileName: 'notes.md', kind: null }, true],
  [{ fileName: 'lease.pdf', kind: 'contract' }, true],
  [{ fileName: 'boiler.pdf', kind: 'manual' }, false],
  [{ fileName: 'saved page.HTML', kind: null }, false],
  [{ fileName: 'novel.epub', kind: null }, false],
])('%j is one of the user’s own documents: %s', (file, isOwn) => {
  expect(isOwnDocument(file)).toBe(isOwn);
});
