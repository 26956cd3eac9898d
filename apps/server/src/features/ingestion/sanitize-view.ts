import sanitizeHtml from 'sanitize-html';

const TAGS =
  'h1 h2 h3 h4 h5 h6 p div br hr blockquote pre ul ol li dl dt dd figure figcaption table caption thead tbody tr th td a b strong i em u s del ins sub sup code kbd samp mark small q cite img';

/** A file's HTML without anything that runs, styles, sends or loads. */
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
      // A link within the file, or to a place of the app, leads nowhere here.
      a: (_, { href = '' }): sanitizeHtml.Tag => {
        const isOutward = /^(?:https?|mailto):/i.test(href);
        return {
          tagName: 'a',
          attribs: isOutward ? { href, rel: 'noopener noreferrer', target: '_blank' } : {},
        };
      },
    },
  });
