import { z } from 'zod';
import { defineRoute } from './route.ts';
import { id, LARGEST_INTEGER } from './values.ts';

export const getArtifactView = defineRoute({
  id: 'artifacts.getArtifactView',
  method: 'GET',
  path: '/artifacts/{artifactId}/view',
  summary: 'A file rendered as HTML: headings, lists, tables, links and pictures',
  auth: 'user',
  apiKey: true,
  kind: 'json',
  params: z.object({ artifactId: id }),
  query: z.object({
    /** The part of the extracted text that is rendered, in UTF-16 units. */
    from: z.coerce.number().int().min(0).max(LARGEST_INTEGER).default(0),
    to: z.coerce.number().int().min(0).max(LARGEST_INTEGER).optional(),
    /** The member of an archive, or the attachment of a mail, that is rendered by itself. */
    path: z.string().max(4000).optional(),
  }),
  data: z.object({
    /** Sanitized: no scripts, styles, forms or remote content. Pictures are data URLs. */
    html: z.string(),
    /** Whether this is all of the file. */
    complete: z.boolean(),
  }),
  errors: { 404: 'No such file.', 422: 'The file cannot be rendered; its text can still be had.' },
});
