import { lowered, points, subjectWithin } from '../analysis/subject.ts';
import { packOf } from '../languages/index.ts';
import { questionForms } from '../languages/question-forms.ts';
import type { FormKind } from '../languages/question-forms.ts';

/** A question as a form makes it. */
export interface Made {
  question: string;
  /** The form it was made by: too many of one kind are dull. */
  template: string;
  /** What the answer has to hold, as far as that is known. */
  value: string | null;
}

/** The question that the first fitting form makes of a text; `tail` says what a field is of. */
export function askedOf(kind: FormKind, text: string, language: string, tail = ''): Made | null {
  for (const { says, asks } of questionForms(language)[kind]) {
    const match = says.exec(text);
    if (match === null) continue;
    const subject = match.groups?.['subject'];
    const within = subject === undefined ? '' : subjectWithin(subject, language);
    const groups = match.slice(1).map((group: string | undefined = '', at) => {
      if (group === subject) return within ?? '';
      if (at > 0 || kind === 'sentences') return group.trim();
      return kind === 'fields' ? labelWithin(group, language) + tail : lowered(group);
    });
    if (within === null || (kind === 'sentences' && groups.some((one) => points(one, language))))
      continue;
    const question = asks.replace(/ ?\$(\d)/gu, (place, at: string) =>
      groups[Number(at) - 1] === '' ? '' : place.slice(0, -2) + (groups[Number(at) - 1] ?? ''),
    );
    return { question, template: asks, value: match.groups?.['value'] ?? null };
  }
  return null;
}

/** 'Invoice number' as it stands within a sentence; 'VAT number' keeps its capitals. */
const labelWithin = (label: string, language: string): string =>
  packOf(language).capitalNouns
    ? label
    : label.replace(/(?<![\p{L}’'])\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
