import { describe, expect, it } from 'vitest';
import { analyzeQuestion } from '../../question/question.ts';
import type { Passage } from '../../types.ts';
import { type DescribedFile, preferOwn } from '../own-papers.ts';
import { rankPassages } from '../rank.ts';

const FILES: Record<string, { kind: string | null; text: string }> = {
  'boiler.html': { kind: 'manual', text: 'The pressure of the boiler is set with the grey valve.' },
  'notes.md': { kind: null, text: 'Boiler: the pressure is 1.4 bar since the service.' },
};

function firstFor(text: string, language = 'en'): string | undefined {
  const question = analyzeQuestion(text, [language]);
  const passages = Object.entries(FILES).map(([fileName, file], i): Passage => ({
    artifactId: fileName,
    fileName,
    text: file.text,
    start: 0,
    end: file.text.length,
    ordinal: 0,
    headings: [],
    location: { line: 1 },
    places: [],
    // The manual is found a little better.
    score: 10 - i * 0.1,
  }));
  const files = Object.entries(FILES).map(([fileName, { kind }]): DescribedFile => ({
    artifactId: fileName,
    fileName,
    kind,
  }));
  const level = rankPassages(question, passages).map((passage) => ({
    ...passage,
    score: passage.fileName === 'boiler.html' ? 10 : 9.5,
  }));
  return preferOwn(question, level, files)[0]?.fileName;
}

describe('preferOwn', () => {
  it.each([
    ['what is the pressure of our boiler', 'en'],
    ['Wie hoch ist der Druck in meiner Heizung?', 'de'],
    ['Quelle est la pression de ma chaudière ?', 'fr'],
  ])('puts own papers first for %s', (text, language) => {
    expect(firstFor(text, language)).toBe('notes.md');
  });

  it('leaves the order as it is where nobody speaks of what is theirs', () => {
    expect(firstFor('what is the pressure of the boiler')).toBe('boiler.html');
  });
});
