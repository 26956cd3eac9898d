import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** How long a link works, in milliseconds. */
const LINK_TTL_MS = 15 * 60_000;

export type DocumentKind = 'invoice' | 'receipt';

export interface DocumentLinks {
  /** A link to a document that works without a token for a while. */
  sign: (userId: string, invoiceId: string, kind: DocumentKind) => string;
  /** What a link's token opens; null for a forged one, 'expired' for an old one. */
  open: (
    token: string,
  ) => { userId: string; invoiceId: string; kind: DocumentKind } | 'expired' | null;
}

/** Links to invoices and receipts: who, which, until when, and an HMAC-SHA256 over it. */
export function createDocumentLinks(secret: string, now: () => Date): DocumentLinks {
  const key = createSecretKey(createHmac('sha256', secret).update('payment-documents').digest());
  const macOf = (claims: string): string =>
    createHmac('sha256', key).update(claims).digest('base64url');

  return {
    sign(userId, invoiceId, kind) {
      const until = (now().getTime() + LINK_TTL_MS).toString(36);
      const claims = [kind, userId, invoiceId, until].join('.');
      return `/v1/payments/documents/${claims}.${macOf(claims)}`;
    },

    open(token) {
      const [kind = '', userId = '', invoiceId = '', until = '', ...rest] = token.split('.');
      const given = Buffer.from(rest.join('.'));
      const expected = Buffer.from(macOf([kind, userId, invoiceId, until].join('.')));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      // What bears our signature was written above.
      return Number.parseInt(until, 36) < now().getTime()
        ? 'expired'
        : { userId, invoiceId, kind: kind as DocumentKind };
    },
  };
}
