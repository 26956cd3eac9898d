import { z } from 'zod';
import { defineRoute, signedFile } from './route.ts';
import { count, fileId, fileName, id, LARGEST_INTEGER, location, timestamp } from './values.ts';

const notFound = { 404: 'No such file.' } as const;
const offset = z.coerce.number().int().min(0).max(LARGEST_INTEGER);

export const getArtifactView = defineRoute('GET /artifacts/{artifactId}/view', {
  summary: 'A file rendered as HTML: headings, lists, tables, links and pictures',
  sdk: { 'files.view': {} },
  sdkNames: { from: 'start', to: 'end' },
  apiKey: true,
  params: z.object({ artifactId: id }),
  query: z.object({
    /** The part of the extracted text to render, in UTF-16 units. */
    from: offset.default(0),
    to: offset.optional(),
    /** A member of an archive or an attachment of an e-mail, to render only that. */
    path: z.string().max(4000).optional(),
  }),
  data: z
    .object({
      /** Sanitized: no scripts, styles, forms or remote content. Pictures are data URLs. */
      html: z.string(),
      /** Whether this is the whole file. */
      complete: z.boolean(),
    })
    .meta({ id: 'FileView', description: 'A file rendered as sanitized HTML.' }),
  errors: {
    404: 'No such file.',
    422: 'The file cannot be rendered. Its text is still available.',
  },
});

const share = z.number().min(0).max(1);

export const getArtifactWords = defineRoute('GET /artifacts/{artifactId}/words', {
  summary: 'The positions of recognized words on scanned pages and pictures',
  sdk: { 'files.words': {} },
  apiKey: true,
  params: z.object({ artifactId: id }),
  query: z.object({
    /** Counted from 1. A picture is page 1. */
    page: z.coerce.number().int().min(1).max(LARGEST_INTEGER).default(1),
    /** A member of an archive. */
    path: z.string().max(4000).optional(),
  }),
  data: z.array(
    z
      .object({
        start: count,
        end: count,
        left: share,
        top: share,
        width: share,
        height: share,
      })
      .meta({
        id: 'Word',
        description: 'A recognized word, with its box in fractions of the page.',
      }),
  ),
  errors: notFound,
});

const segmentKind = z
  .enum(['prose', 'heading', 'list', 'table', 'code', 'definition'])
  .meta({ id: 'SegmentKind', description: 'The kind of a part of a text.' });

/** How much text one call covers, in UTF-16 units. */
export const SEGMENTS_REACH = 1_000_000;

export const getArtifactSegments = defineRoute('GET /artifacts/{artifactId}/segments', {
  summary: 'The source locations of the extracted text',
  sdk: { 'files.segments': {} },
  sdkNames: { from: 'start', to: 'end' },
  apiKey: true,
  params: z.object({ artifactId: id }),
  /** The part of the text, of which at most a million units are covered. */
  query: z.object({
    from: offset.default(0),
    to: offset.optional(),
  }),
  /** In the order of the text, without overlaps. */
  data: z.array(
    z
      .object({
        start: count,
        end: count,
        location,
        kind: segmentKind,
        /** The headings above it, outermost first. */
        headings: z.array(z.string()),
      })
      .meta({ id: 'Segment', description: 'A part of the text of a file and its location.' }),
  ),
  errors: notFound,
});

export const signArtifact = defineRoute('GET /artifacts/{artifactId}/link', {
  summary: 'A link to the bytes that works without a token for up to 15 minutes',
  sdk: { 'files.link': {} },
  apiKey: true,
  params: z.object({ artifactId: fileId }),
  data: z
    .object({
      presignedUrl: z.string().describe('A link to the bytes that needs no key for 15 minutes.'),
      expiresAt: timestamp.describe('When the link expires.'),
      fileName,
      fileType: z.string().describe('The media type, such as application/pdf.'),
      size: count.describe('The size in bytes.'),
      thumbnailUrl: z
        .string()
        .nullable()
        .describe('A signed link to a thumbnail, if there is one.'),
    })
    .meta({
      id: 'FileLink',
      'x-sdk-names': { presignedUrl: 'url', fileType: 'mediaType' },
      description: 'A link to the bytes of a file that works without a key for a few minutes.',
    }),
  errors: notFound,
  example: { params: { artifactId: '$ARTIFACT_ID' } },
});

export const readSignedFile = defineRoute('GET /files/{token}', {
  summary: 'The bytes behind a signed link, with ranges',
  ...signedFile,
  query: z.object({
    /** The page of a picture to render as JPEG or PNG, which all browsers show. Counted from 1. */
    picture: z.coerce.number().int().min(1).max(LARGEST_INTEGER).optional(),
  }),
  errors: {
    ...notFound,
    410: 'The link has expired.',
    416: 'The range lies outside of the file.',
    422: 'The file cannot be rendered as a picture.',
  },
});
