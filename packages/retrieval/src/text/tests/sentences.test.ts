import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitSentences } from '../sentences.ts';

const split = (text: string): string[] =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  test.each([
    [['Dr. Smith paid $3.50 on Jan. 5.', 'It was late.']],
    [['J. R. R. Tolkien wrote it.', 'He lived in Oxford.']],
    [['The U.S. economy grew by 2.5 percent.', 'Prices fell.']],
    [['See fig. 3 for details, e.g. the axis.', 'Next.']],
    [['"Is it true?" she asked.', 'Nobody knew.']],
    [['It weighs 5 kg.[citation needed]', 'That is a lot.']],
    [['Er kam am 3. Mai nach Berlin.', 'Dort blieb er.']],
    [['It was decided in Roe v. Wade.', 'That was long ago.']],
    [['The tower was built under Pius X.', 'His plans were great.']],
    [['Apple Inc. sold it.', 'Then it left.']],
    [['Die Kaution, z. B. 2.340 Euro, ist fällig.', 'Danach nicht.']],
    [['Am Ende, d. h. Ende Mai, i. d. R. ein Freitag, ist Schluss.', 'Dann nicht.']],
  ])('sentences are split: %j', (sentences) => {
    expect(split(sentences.join(' '))).toEqual(sentences);
  });

  test('sentence ends in other scripts are found', () => {
    expect(split('東京は首都です。人口は多い。')).toEqual(['東京は首都です。', '人口は多い。']);
    expect(split('متى وصل؟ وصل أمس.')).toEqual(['متى وصل؟', 'وصل أمس.']);
    expect(split('यह सही है। वह गलत है।')).toEqual(['यह सही है।', 'वह गलत है।']);
  });

  test('short lines are separate sentences, and wrapped lines are joined', () => {
    const notes =
      'hoover bags type K-17\nfridge lamp E14 15W\nbath trap 40 mm, from the shop by the canal';
    expect(split(notes)).toHaveLength(3);
    expect(
      split('hall: clunch, lime wash, three coats\nkitchen: sardine\nfront door: dock blue'),
    ).toHaveLength(3);
    const wrapped =
      'the lease ends with the month in\nwhich the tenant moves out, or on\nthe last day of the year, and the\ndeposit is paid back';
    expect(split(wrapped)).toHaveLength(1);
  });

  test('a wrapped line is joined, and rows, list items and headings are separate', () => {
    expect(split('A sentence that was wrapped by its\neditor goes on.')).toHaveLength(1);
    expect(split('Name: Ada · City: London\nName: Bo · City: Oslo')).toHaveLength(2);
    expect(split('- first item\n- second item\n- third item')).toHaveLength(3);
    expect(split('Payment terms\nThe invoice is due within thirty days of its date.')).toHaveLength(
      2,
    );
  });

  test('figures stay with the label before them', () => {
    expect(split('Net income\n$\n1,234\n5,678\nTotal assets\n9,012')).toEqual([
      'Net income\n$\n1,234\n5,678',
      'Total assets\n9,012',
    ]);
  });

  test('a missing space between sentences is distinguished from a domain name', () => {
    expect(split('Things got better.We all saw it.')).toEqual([
      'Things got better.',
      'We all saw it.',
    ]);
    expect(split('Use node.js or example.com here')).toHaveLength(1);
  });

  test('spans are in order, do not overlap, and leave out only white space', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      '.',
      '!',
      '?',
      ' ',
      '\n',
      '。',
      '…',
      '1',
      '"',
      ')',
      '·',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        let offset = 0;
        let gaps = '';
        for (const { start, end } of splitSentences(text)) {
          expect(start).toBeGreaterThanOrEqual(offset);
          expect(end).toBeGreaterThan(start);
          gaps += text.slice(offset, start);
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
          offset = end;
        }
        expect((gaps + text.slice(offset)).trim()).toBe('');
      }),
    );
  });
});
