import { writeNotesAndComments } from './notes-and-comments.ts';
import { openEmbeddedPictures } from '../pictures/embedded-pictures.ts';
import type { FormatInput } from '../format.ts';
import { writeMarkup } from '../html/markup-blocks.ts';
import {
  children,
  descendants,
  localName,
  type MarkupNode,
  parseHtmlDocument,
} from '../html/markup.ts';
import { odfMarkup, plainText } from './open-document/markup.ts';
import { openDocument, pathInside } from './open-document/package.ts';
import type { Extraction } from '../types.ts';

const EDGE = /^(?:header|footer)(?:-left|-first)?$/;

/** OpenDocument texts: the body with its pictures' texts, then notes, headers, footers and comments, in this order. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, builder, onProgress } = input;
  const { body, masters, styles, title } = openDocument(bytes, builder);
  const pictures = await openEmbeddedPictures(input);
  onProgress(30);
  const { html, notes, comments } = odfMarkup(body, styles);
  onProgress(60);
  writeMarkup(parseHtmlDocument(html).root, builder, {
    document: true,
    picture: (path) => pictures.write(pathInside(path)),
  });
  writeNotesAndComments({ notes, edges: edgesOf(masters), comments }, builder);
  pictures.end();
  return builder.finish({ title });
}

function edgesOf(masters: MarkupNode | null): string[] {
  if (masters === null) return [];
  return descendants(masters, 'master-page').flatMap((page) =>
    [...children(page)].filter((node) => EDGE.test(localName(node))).map(plainText),
  );
}
