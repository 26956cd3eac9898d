import { z } from 'zod';
import {
  createSignedLinks,
  type LinkHolder,
  type SignedLinksOptions,
} from '../../platform/http/signed-links.ts';

const linkedPart = z.enum(['original', 'thumbnail']);
const claims = z.tuple([z.uuid(), linkedPart]);

export function createFileLinks(options: SignedLinksOptions) {
  const links = createSignedLinks(options, 'signed-links', claims);

  return {
    sign(holder: LinkHolder, artifactId: string, part: z.output<typeof linkedPart> = 'original') {
      const { token, expiresAt } = links.sign(holder, [artifactId, part]);
      return { path: `/v1/files/${token}`, expiresAt };
    },
    open: links.open,
  };
}

export type FileLinks = ReturnType<typeof createFileLinks>;
