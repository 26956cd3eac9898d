import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_SPOKEN_CHARACTERS } from '../../../platform/speech/speaker.ts';
import { readableText } from '../readable-text.ts';
import { spokenAnswer } from '../spoken-answer.ts';

test.each([
  [
    'citations',
    'The rent is 900 euros [1][2]. It is due monthly [3, 4].',
    'The rent is 900 euros. It is due monthly.',
  ],
  [
    'emphasis and escapes',
    '**Two** _words_, ~~gone~~ and 5 \\* 3 \\# \\_x\\_.',
    'Two words, gone and 5 × 3 x.',
  ],
  ['headings', '## Terms of the lease\n\nOne page.', 'Terms of the lease.\n\nOne page.'],
  ['lists', '- One [1]\n- Two\n  - Three', 'One.\nTwo.\nThree.'],
  ['numbered lists', '3. Open it\n4. Close it!', '3: Open it.\n4: Close it!'],
  [
    'tables',
    '| City | population |\n| --- | --: |\n| London | 9 [1] |\n| Rome | |',
    'City: London, population: 9.\nCity: Rome.',
  ],
  ['links', 'See [the lease](https://x.org/a_b) and [1](https://x.org).', 'See the lease and.'],
  [
    'addresses',
    'At https://www.example.org/docs/a-page.html?x=1#y, ok.',
    'At example.org docs a page, ok.',
  ],
  ['code', '```js\nconst a_b = {x: 1};\n```', 'const a b = x: 1;'],
  ['pictures', 'Done 🎉👩‍👩‍👧 🇩🇪 1️⃣ ![a cat](x.png)', 'Done 1 a cat.'],
  ['html', 'a <b>b</b><br>c <script>d</script>', 'a b c d.'],
  ['quotes and dashes', '> “Yes” — he said… no', 'Yes, he said. no.'],
  ['money and dates', 'It is €2,340.50 on 2026-05-03.', 'It is 2,340.50 € on May 3, 2026.'],
  [
    'large sums',
    'From $1,577 million or $3m to €2.5 Billion.',
    'From 1,577 million $ or 3 million $ to 2.5 Billion €.',
  ],
  ['invalid dates', 'No. 2026-13-45', 'No. 2026 13 45.'],
  [
    'abbreviations',
    'Fees, e.g. rent, i.e. money etc.',
    'Fees, for example rent, that is money and so on.',
  ],
  ['comparisons', 'x < 5 and y > 3', 'x < 5 and y > 3.'],
  ['machine-readable text', `Key ${'a1B2'.repeat(20)} end`, 'Key end.'],
  ['rules, notes and comments', 'A[^1]\n\n---\n\n<!-- no -->\n\n[^1]: note', 'A.'],
])('%s', (name, markdown, text) => {
  expect(spokenAnswer(markdown).text).toBe(text);
});

test.each([
  ['en', "Your files don't seem to say."],
  ['en', 'Removed: the file was deleted.'],
  ['de', 'Die Kaution für das Bootshaus beträgt 2.340 Euro, z. B. in drei Raten [1].'],
  ['zh', '保证金是两千欧元 [1]。'],
])('the language of the answer is detected: %s', (language, markdown) => {
  expect(spokenAnswer(markdown)).toMatchObject({ language });
});

test('abbreviations and dates are spoken in the language of the answer', () => {
  expect(readableText('z. B. am 2026-05-03', 'de')).toBe('zum Beispiel am 3. Mai 2026');
});

test('spoken text is limited and ends with a complete sentence', () => {
  const { text } = spokenAnswer('One sentence that is of some length. '.repeat(200));
  expect(text.length).toBeLessThanOrEqual(MAX_SPOKEN_CHARACTERS);
  expect(text).toMatch(/length\.$/u);
});

test.each([
  ' ',
  '.',
  '>',
  '> ',
  '- ',
  '1. ',
  '> 1. ',
  '[',
  '![',
  '*a ',
  '~a',
  '[^a]: ',
  'a\n=\n',
  ']',
])('an answer of 20,000 times "%s" is spoken completely or not at all', (sign) => {
  const { text } = spokenAnswer(sign.repeat(20_000).slice(0, 20_000));
  expect(text.length).toBeLessThanOrEqual(MAX_SPOKEN_CHARACTERS);
});

const pieces = fc.constantFrom(
  '# ',
  '- ',
  '1. ',
  '| a | b |\n| --- | --- |\n| ',
  '**',
  '_',
  '`',
  '```\n',
  '[1]',
  '[x](',
  ')',
  '\\',
  '<b>',
  '> ',
  '\n',
  '\n\n',
  '~~',
  '![',
  ']',
  '| ',
  '🎉',
  'word',
  ' 5 ',
  '€',
  '…',
  '[^1]',
);

test('Markdown is never spoken, and the length is limited', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
        fc.string({ unit: 'grapheme', maxLength: 200 }),
      ),
      (markdown) => {
        const { text } = spokenAnswer(markdown);
        expect(text).not.toMatch(/[*_#|`~^{}[\]\\]|[<>](?!\s?\d)|\p{Extended_Pictographic}/u);
        expect(text.length).toBeLessThanOrEqual(MAX_SPOKEN_CHARACTERS);
        expect(text).toBe(text.trim());
        expect(text).toBe(text.toWellFormed());
      },
    ),
    { numRuns: 300 },
  );
});

test('words are spoken with any markup around them', () => {
  const word = fc.stringMatching(/^[a-z]{3,12}$/u);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 12 }),
      fc.constantFrom('', '# ', '- ', '> ', '1. '),
      fc.constantFrom('', '**', '_', '`', '~~'),
      (words, start, mark) => {
        const markdown = start + words.map((spoken) => `${mark}${spoken}${mark}`).join(' ');
        const { text } = spokenAnswer(markdown);
        for (const spoken of words) expect(text).toContain(spoken);
      },
    ),
  );
});
