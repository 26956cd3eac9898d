import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildView, markInView } from '../build-view.ts';
import { locateInView } from '../locate-in-view.ts';

/** The marked text of a view for the nth occurrence of a quote in the extracted text. */
function marksOf(html: string, text: string, quote: string, nth = 0): string[] {
  let start = text.indexOf(quote);
  for (let remaining = nth; remaining > 0; remaining -= 1) start = text.indexOf(quote, start + 1);
  expect(start).not.toBe(-1);
  const view = buildView(html);
  const place = [start, start + quote.length] as const;
  return locateInView(view, { text, place, from: 0 }).quote.map(([from, to]) =>
    view.text.slice(from, to).trim(),
  );
}

test('a sentence that spans elements is found', () => {
  const html = '<h1>Rent</h1><p>The <b>rent</b> is 412&nbsp;euros<sup>[1]</sup> a month.</p>';
  const text = '# Rent\n\nThe rent is 412 euros[1] a month.';
  expect(marksOf(html, text, 'The rent is 412 euros')).toEqual(['The rent is 412\u00a0euros']);
  expect(marksOf(html, text, '# Rent')).toEqual(['Rent']);
});

test('of repeated words, those closest to the position are found', () => {
  const html = '<ul><li>Sweep the yard</li><li>Oil it</li></ul><p>Sweep the yard</p>';
  const text = '- Sweep the yard\n- Oil it\n\nSweep the yard';
  const view = buildView(html);
  const place = [text.lastIndexOf('Sweep'), text.length] as const;
  const { quote } = locateInView(view, { text, place, from: 0 });
  expect(quote).toEqual([[view.text.lastIndexOf('Sweep'), view.text.trimEnd().length]]);
  expect(marksOf(html, text, '- Sweep the yard\n- Oil it')).toEqual(['Sweep the yard', 'Oil it']);
});

const table = `<table><tr><th>Code</th><th>Weight</th></tr>
  <tr><td>QT11</td><td>4 kg</td></tr><tr><td>QT12</td><td>4 kg</td></tr>
  <tr><td>QT1</td><td>14 kg</td></tr></table>`;
const rows =
  'Code · Weight\nCode: QT11 · Weight: 4 kg\nCode: QT12 · Weight: 4 kg\nCode: QT1 · Weight: 14 kg';

test.each([
  ['Code: QT12 · Weight: 4 kg', ['QT12', '4 kg']],
  ['Code: QT1 · Weight: 14 kg', ['QT1', '14 kg']],
  ['Weight: 14 kg', ['14 kg']],
  ['Code · Weight', ['Code', 'Weight']],
])('only the row of “%s” is highlighted', (quote, cells) => {
  expect(marksOf(table, rows, quote)).toEqual(cells);
});

test('text that the view does not show is not highlighted, but its surroundings are found', () => {
  const view = buildView('<p>The pump stands by the gate.</p><img src="" alt=""><p>End.</p>');
  const text = 'The pump stands by the gate.\n\nPRESSURE 3 BAR\n\nEnd.';
  const start = text.indexOf('PRESSURE');
  const located = locateInView(view, { text, place: [start, start + 14], from: 0 });
  expect(located).toEqual({ quote: [], near: 0 });
});

test('any word of any row is highlighted in its own row', () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/u);
  const grid = fc.uniqueArray(fc.tuple(word, word), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(grid, fc.nat(), (cells, pick) => {
      const index = pick % cells.length;
      const html = cells
        .map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`)
        .join('');
      const lines = cells.map(([name, value]) => `Name: ${name} · Place: ${value}`);
      const view = buildView(`<table><tr><th>Name</th><th>Place</th></tr>${html}</table>`);
      const text = lines.join('\n');
      const start = lines.slice(0, index).join('\n').length + (index === 0 ? 0 : 1);
      const place = [start, start + lines[index]!.length] as const;
      const { quote } = locateInView(view, { text, place, from: 0 });
      const [from, to] = view.rows[index + 1]!.range;
      expect(quote.length).toBe(2);
      expect(quote.every(([name, value]) => name >= from && value <= to)).toBe(true);
    }),
  );
});

test('a view has only allowed elements and attributes', () => {
  const { content, text } = buildView(
    '<p onclick="alert(1)" style="x" id="main">a<script>alert(1)</script><a href="javascript:alert(1)">b</a>' +
      '<a href="https://a.example/">c</a><img src="https://a.example/x.png"><iframe></iframe><custom-x>d</custom-x></p>',
  );
  const container = document.createElement('div');
  container.append(content);
  expect(container.innerHTML).toBe(
    '<p>aalert(1)b<a href="https://a.example/" title="https://a.example/" target="_blank" rel="noopener noreferrer">c</a><img>d</p>',
  );
  expect(text.trim()).toContain('bc');
});

test('removing marks restores the original markup', () => {
  const view = buildView('<p>one <b>two</b> three</p>');
  const container = document.createElement('div');
  container.append(view.content);
  const htmlBefore = container.innerHTML;
  const unmark = markInView(view, [[2, 9]]);
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
    'e ',
    'two',
    ' t',
  ]);
  unmark();
  expect(container.innerHTML).toBe(htmlBefore);
  expect(view.nodes.every(({ node }) => node.isConnected || container.contains(node))).toBe(true);
});
