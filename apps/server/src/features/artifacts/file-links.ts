import { z } from 'zod';
import {
  createSignedLinks,
  type LinkHolder,
  type SignedLinksOptions,
} from '../../platform/http/signed-links.ts';

/** What a link shows: the file itself, or its thumbnail. */
export type LinkedPart = 'original' | 'thumbnail';

const claims = z.tuple([z.uuid(), z.enum(['original', 'thumbnail'])]);

/** Links to one file. */
export function createFileLinks(options: SignedLinksOptions) {
  const links = createSignedLinks(options, 'signed-links', claims);

  return {
    sign(holder: LinkHolder, artifactId: string, part: LinkedPart = 'original') {
      const { token, expiresAt } = links.sign(holder, [artifactId, part]);
      return { path: `/v1/files/${token}`, expiresAt };
    },
    open: links.open,
  };
}

export type FileLinks = ReturnType<typeof createFileLinks>;
