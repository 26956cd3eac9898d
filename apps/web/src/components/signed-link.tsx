import type { ComponentProps } from 'react';
import { LINK_REFRESH_MS } from '../artifacts/signed-file.ts';

interface SignedLinkProps extends ComponentProps<'a'> {
  signedAt: number;
  /** Opens the target with a new address. */
  onExpired: () => void;
}

/** A link to a signed address, which opens in a new tab even after the address has expired. */
export const SignedLink = ({ href, signedAt, onExpired, children, ...link }: SignedLinkProps) => (
  <a
    {...link}
    href={href}
    target="_blank"
    rel="noopener noreferrer"
    onClick={(event) => {
      if (Date.now() - signedAt < LINK_REFRESH_MS) return;
      event.preventDefault();
      onExpired();
    }}
  >
    {children}
  </a>
);
