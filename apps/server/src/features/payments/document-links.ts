import { z } from 'zod';
import { createSignedTokens } from '../../platform/http/signed-tokens.ts';

/** How long a link works, in milliseconds. */
const LINK_TTL_MS = 15 * 60_000;

const kinds = z.enum(['invoice', 'receipt']);
export type DocumentKind = z.output<typeof kinds>;

const claims = z.tuple([kinds, z.uuid(), z.uuid(), z.number()]);

export interface DocumentLinks {
  /** A link to a document that works without a token for a while. */
  sign: (userId: string, invoiceId: string, kind: DocumentKind) => string;
  /** What a link's token opens; null for a forged one, 'expired' for an old one. */
  open: (
    token: string,
  ) => { userId: string; invoiceId: string; kind: DocumentKind } | 'expired' | null;
}

/** Links to invoices and receipts that need no sign-in. */
export function createDocumentLinks(secret: string, now: () => Date): DocumentLinks {
  const tokens = createSignedTokens(secret, 'payment-documents');

  return {
    sign(userId, invoiceId, kind) {
      const until = now().getTime() + LINK_TTL_MS;
      return `/v1/payments/documents/${tokens.sign([kind, userId, invoiceId, until])}`;
    },

    open(token) {
      const given = tokens.read(token);
      if (given === undefined) return null;
      const [kind, userId, invoiceId, until] = claims.parse(given);
      return until < now().getTime() ? 'expired' : { userId, invoiceId, kind };
    },
  };
}
