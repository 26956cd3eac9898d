import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { extract, type Extraction, type FileType } from '../../index.ts';

const NAMES = ['office', 'text', 'table', 'style', 'draw', 'presentation', 'svg', 'dc', 'xlink'];
const NAMESPACES = NAMES.map((name) => `xmlns:${name}="urn:${name}"`).join(' ');

const pack = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));

const content = (kind: string, body: string, styles = ''): string =>
  `<office:document-content ${NAMESPACES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;

const read = (bytes: Uint8Array, type: FileType): Promise<Extraction> =>
  extract({ bytes, fileName: `a.${type}`, type });

const linesOf = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, headings, kind }) =>
    [kind, ...headings, text.slice(start, end)].join(' | '),
  );

const text = async (body: string, styles?: string): Promise<string[]> =>
  linesOf(await read(pack({ 'content.xml': content('text', body, styles) }), 'odt'));

const p = (line: string, style = ''): string =>
  `<text:p text:style-name="${style}">${line}</text:p>`;

test('OpenDocument: headings and code are detected by style, also through parent styles', async () => {
  const style = (name: string, parent: string): string =>
    `<style:style style:name="${name}" style:parent-style-name="${parent}"/>`;
  const styles =
    style('P1', 'P2') + style('P2', 'Heading_20_2') + style('P3', 'P4') + style('P4', 'P3');
  expect(
    await text(
      p('Title', 'Title') + p('Part', 'P1') + p('Round', 'P3') + p('ls', 'Source_20_Text'),
      styles,
    ),
  ).toEqual([
    'heading | Title',
    'heading | Title | Part',
    'prose | Title | Part | Round',
    'code | Title | Part | ls',
  ]);
});

test('OpenDocument: list numbers continue or restart as the file specifies', async () => {
  const styles =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" text:start-value="4"/><text:list-level-style-number text:level="2" style:num-format=""/></text:list-style>';
  const item = (line: string, attributes = ''): string =>
    `<text:list-item ${attributes}>${p(line)}</text:list-item>`;
  const list = (items: string, attributes = ''): string =>
    `<text:list text:style-name="L" ${attributes}>${items}</text:list>`;
  const body = [
    list(`${item('a')}<text:list-item><text:list>${item('b')}</text:list></text:list-item>`),
    p('Between'),
    list(
      item('c') + item('d', 'text:start-value="9"') + item('e'),
      'text:continue-numbering="true"',
    ),
    list(item('f')),
    list(''),
  ].join('');
  expect(await text(body)).toEqual(
    ['- a', '- b']
      .map((line) => `list | ${line}`)
      .concat('prose | Between', ...['c', 'd', 'e', 'f'].map((line) => `list | - ${line}`)),
  );
  expect(await text(body, styles)).toEqual([
    'list | 4. a',
    'list | - b',
    'prose | Between',
    'list | 6. c',
    'list | 9. d',
    'list | 10. e',
    'list | 4. f',
  ]);
});

test('OpenDocument: deleted text, templates and note marks are not part of the text', async () => {
  const body = `<text:table-of-content><text:table-of-content-source><text:index-title-template>Template</text:index-title-template></text:table-of-content-source><text:index-body>${p('1 Pump<text:tab/>3')}</text:index-body></text:table-of-content><text:tracked-changes><text:deletion>${p('Deleted')}</text:deletion></text:tracked-changes>${p('A<text:line-break/>B <text:title>C</text:title><text:note><text:note-citation>*</text:note-citation><text:note-body>' + p('Why') + p('not') + '</text:note-body></text:note>')}`;
  expect(await text(body)).toEqual(['prose | 1 Pump 3', 'prose | A\nB C[1]', 'list | 1. Why not']);
});

test('huge repeat counts and deep nesting are read quickly', async () => {
  const cell = `<table:table-cell table:number-columns-repeated="999999999" table:number-rows-spanned="999999999">${p('x')}</table:table-cell>`;
  const body = `${p('a<text:s text:c="999999999"/>b')}<table:table><table:table-row>${cell.repeat(3)}</table:table-row></table:table>`;
  expect(await text(body)).toEqual(['prose | a b', 'table | x · x · x']);
  const deep = `${'<text:section>'.repeat(50_000)}${p('inside')}${'</text:section>'.repeat(50_000)}`;
  expect(await text(deep)).toEqual(['prose | inside']);
});

test.each(['odt', 'ods', 'odp'] as const)(
  'a file that is not a valid %s, or unpacks to more than the limit, is refused with an error code',
  async (type) => {
    const broken: Record<string, string>[] = [
      { 'a.xml': '<a/>' },
      { 'content.xml': '' },
      { 'content.xml': 'no markup' },
    ];
    for (const parts of broken) {
      await expect(read(pack(parts), type)).rejects.toMatchObject({ code: 'damaged' });
    }
    const bomb = pack({ 'content.xml': ' '.repeat(210_000_000) });
    await expect(read(bomb, type)).rejects.toMatchObject({ code: 'too_large' });
  },
);
