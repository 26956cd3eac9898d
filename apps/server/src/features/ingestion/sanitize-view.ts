import sanitizeHtml from 'sanitize-html';

const TAGS =
  'h1 h2 h3 h4 h5 h6 p div br hr blockquote pre ul ol li dl dt dd figure figcaption table caption thead tbody tr th td a b strong i em u s del ins sub sup code kbd samp mark small q cite img';

/** Keeps links to other sites. Links within the file or to the app have no target here. */
const keepExternalLink = (_: string, { href = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
  const isExternal = /^(?:https?|mailto):/i.test(href);
  return {
    tagName: 'a',
    attribs: isExternal ? { href, rel: 'noopener noreferrer', target: '_blank' } : {},
  };
};

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(' '),
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  transformTags: { tfoot: 'tbody', a: keepExternalLink },
};

/** Removes scripts, styles, forms and external resources from a file's HTML. */
export const sanitizeView = (html: string): string => sanitizeHtml(html, OPTIONS);

/**
 * Sanitizes a web page before it is stored. Pictures from other addresses become `src="picture:N"`, where N is an
 * index of `pictures`.
 */
export function sanitizeSnapshot(html: string): { html: string; pictures: string[] } {
  const pictures: string[] = [];
  const collect = (tagName: string, { src = '', alt = '' }: sanitizeHtml.Attributes) => {
    if (!/^https?:/i.test(src)) return { tagName, attribs: { src, alt } };
    if (!pictures.includes(src)) pictures.push(src);
    return { tagName, attribs: { src: `picture:${pictures.indexOf(src)}`, alt } };
  };
  const clean = sanitizeHtml(html, {
    ...OPTIONS,
    allowedSchemesByTag: { img: ['data', 'picture'] },
    transformTags: { ...OPTIONS.transformTags, img: collect },
  });
  return { html: clean, pictures };
}
