import { Fragment } from 'react';

/** Where something came from: what is known of it, each part in its own direction of writing. */
export function From({ parts }: { parts: readonly (string | null)[] }) {
  const known = parts.filter((part) => part !== null && part !== '');
  if (known.length === 0) return null;
  return (
    <span>
      {known.map((part, index) => (
        <Fragment key={part}>
          {index > 0 && ' · '}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </span>
  );
}
