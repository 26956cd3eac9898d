import type { ReactNode } from 'react';
import { openFile, LINK_FRESH_MS } from '../../../artifacts/signed-file.ts';

interface FileLinkProps {
  artifactId: string;
  href: string;
  /** When the link was signed, in milliseconds since the epoch. */
  signedAt: number;
  className: string | undefined;
  /** For a picture of the file: the name beside it is the same link, with words. */
  decorative?: boolean;
  children: ReactNode;
}

/** A link that opens a file in a new tab, also where the page has slept until its link expired. */
export function FileLink(props: FileLinkProps) {
  const { artifactId, href, signedAt, className, decorative = false, children } = props;
  return (
    <a
      className={className}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        if (Date.now() - signedAt < LINK_FRESH_MS) return;
        event.preventDefault();
        void openFile(artifactId);
      }}
      {...(decorative ? { 'aria-hidden': true, tabIndex: -1 } : {})}
    >
      {children}
    </a>
  );
}
