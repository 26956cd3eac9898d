import { strToU8, zipSync } from 'fflate';
import { utils, write } from '@e965/xlsx';

/** The value of a cell. */
type Cell = string | number;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function pack(parts: Record<string, string>): Uint8Array {
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/></Types>';
  const entries = Object.entries({ '[Content_Types].xml': types, ...parts });
  return zipSync(Object.fromEntries(entries.map(([path, xml]) => [path, strToU8(xml)])));
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relations = (id: string, type: string, target: string): string =>
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;

/** A workbook with one sheet per name. An empty row stays empty. */
export function makeXlsx(sheets: Record<string, Cell[][]>): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  }
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
}

/** A document of paragraphs. '# ' and '## ' start headings of level 1 and 2. */
export function makeDocx(paragraphs: readonly string[]): Uint8Array {
  const body = paragraphs.map((paragraph) => {
    const level = /^#{1,2}(?= )/.exec(paragraph)?.[0].length ?? 0;
    const style = level > 0 ? `<w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>` : '';
    const text = escapeXml(paragraph.slice(level).trim());
    return `<w:p>${style}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  });
  const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const styles = [1, 2].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
  );
  return pack({
    '_rels/.rels': relations('rId1', 'officeDocument', 'word/document.xml'),
    'word/_rels/document.xml.rels': relations('rId1', 'styles', 'styles.xml'),
    'word/styles.xml': `<?xml version="1.0"?><w:styles xmlns:w="${space}">${styles.join('')}</w:styles>`,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${space}"><w:body>${body.join('')}</w:body></w:document>`,
  });
}

/** A presentation. The first line of each slide is its title, the others are paragraphs of one box. */
export function makePptx(slides: readonly string[][]): Uint8Array {
  const parts: Record<string, string> = {};
  slides.forEach(([title = '', ...lines], i) => {
    const box = (type: string, texts: readonly string[]): string =>
      `<p:sp><p:nvSpPr><p:cNvPr id="2" name=""/><p:cNvSpPr/><p:nvPr>${type}</p:nvPr></p:nvSpPr><p:txBody>` +
      texts.map((text) => `<a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p>`).join('') +
      '</p:txBody></p:sp>';
    parts[`ppt/slides/slide${i + 1}.xml`] =
      '<?xml version="1.0"?><p:sld xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
      'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cSld><p:spTree>' +
      `${box('<p:ph type="title"/>', [title])}${box('', lines)}</p:spTree></p:cSld></p:sld>`;
  });
  return pack({
    '_rels/.rels': relations('rId1', 'officeDocument', 'ppt/presentation.xml'),
    'ppt/presentation.xml':
      '<?xml version="1.0"?><p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>',
    ...parts,
  });
}
