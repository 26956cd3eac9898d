import type { Citation, RelatedFile } from '@engram/contract';
import { useId, type ReactNode } from 'react';
import clamped from '../../../components/clamped.module.css';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { describeLocation } from '../../../artifacts/location.ts';
import classes from './nearest-passages.module.css';

interface NearestPassagesProps {
  passages: readonly Citation[];
  related: readonly RelatedFile[];
  onOpen: (n: number) => void;
  /** A few lines of the file with the passage marked; the file's size in bytes where it is known. */
  renderExcerpt: (passage: Citation, size: number | undefined) => ReactNode;
}

/** What comes closest to a question that the files do not answer; a click opens the file at the place. */
export function NearestPassages(props: NearestPassagesProps) {
  const { passages, related, onOpen, renderExcerpt } = props;
  const headingId = useId();
  if (passages.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <h3 className={classes.heading} id={headingId}>
        The nearest passages
      </h3>
      <p className={classes.lead}>
        They are no answer, only what comes closest to your question in your files.
      </p>
      <ul className={classes.list}>
        {passages.map((passage) => {
          const file = related.find(({ artifactId }) => artifactId === passage.artifactId);
          const looks = {
            fileName: passage.fileName,
            ...(file ? { fileType: file.fileType } : {}),
          };
          const place = describeLocation(passage.location, looks);
          return (
            <li key={passage.n}>
              <button type="button" className={classes.passage} onClick={() => onOpen(passage.n)}>
                <span className={classes.top}>
                  <FileTypeIcon {...looks} />
                  <span className={classes.name}>
                    <FileName name={passage.fileName} />
                  </span>
                  {place.short && <PlacePill {...place} />}
                  <FileFolder path={passage.path} />
                </span>
                <span className={`${clamped.lines} ${classes.excerpt}`}>
                  {renderExcerpt(passage, file?.size)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
