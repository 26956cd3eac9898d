import type { Artifact } from '@engram/contract';
import { useState } from 'react';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import classes from './file-thumbnail.module.css';

/** A small picture of the file, or its type's icon; decoration, as the name stands beside it. */
export function FileThumbnail({ file }: { file: Artifact }) {
  const { artifactFileName, artifactFileType, thumbnailUrl } = file;
  // Every look at the list brings a new link to the same picture: the first that works is kept.
  const [src, setSrc] = useState(thumbnailUrl);
  const [failed, setFailed] = useState<string | null>(null);
  if (thumbnailUrl && thumbnailUrl !== src && (src === null || src === failed)) {
    setSrc(thumbnailUrl);
  }
  const shown = thumbnailUrl !== null && src !== null && src !== failed;
  return (
    <span className={classes.frame} data-picture={shown || undefined} aria-hidden="true">
      {shown ? (
        <img
          className={classes.picture}
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(src)}
        />
      ) : (
        <FileTypeIcon fileName={artifactFileName} fileType={artifactFileType} />
      )}
    </span>
  );
}
