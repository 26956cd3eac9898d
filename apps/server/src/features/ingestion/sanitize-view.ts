import sanitizeHtml from 'sanitize-html';

const TAGS =
  'h1 h2 h3 h4 h5 h6 p div br hr blockquote pre ul ol li dl dt dd figure figcaption table caption thead tbody tr th td a b strong i em u s del ins sub sup code kbd samp mark small q cite img';

/** Removes scripts, styles, forms and external resources from a file's HTML. */
export const sanitizeView = (html: string): string =>
  sanitizeHtml(html, {
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
    transformTags: {
      tfoot: 'tbody',
      // Links within the file, or to the app, have no target here.
      a: (_, { href = '' }): sanitizeHtml.Tag => {
        const isOutward = /^(?:https?|mailto):/i.test(href);
        return {
          tagName: 'a',
          attribs: isOutward ? { href, rel: 'noopener noreferrer', target: '_blank' } : {},
        };
      },
    },
  });
