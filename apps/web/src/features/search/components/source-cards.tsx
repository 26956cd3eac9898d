import type { Citation, RelatedFile } from '@engram/contract';
import type { ReactNode } from 'react';
import number from '../../../components/citation-number.module.css';
import clamped from '../../../components/clamped.module.css';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { describeLocation } from '../../../artifacts/location.ts';
import classes from './sources.module.css';

interface SourceCardsProps {
  citations: readonly Citation[];
  related: readonly RelatedFile[];
  active: number | null;
  onActive: (n: number | null) => void;
  onOpen: (n: number) => void;
  /** A few lines of the file with the quote marked; the file's size in bytes where it is known. */
  renderExcerpt: (citation: Citation, size: number | undefined) => ReactNode;
}

/** The numbered sources of an answer; a click opens the file at the place. */
export function SourceCards(props: SourceCardsProps) {
  const { citations, related, active, onActive, onOpen, renderExcerpt } = props;
  if (citations.length === 0) return null;
  return (
    <ol className={classes.cards} aria-label="Sources">
      {citations.map((citation) => {
        const file = related.find(({ artifactId }) => artifactId === citation.artifactId);
        const looks = {
          fileName: citation.fileName,
          ...(file ? { fileType: file.fileType } : {}),
        };
        const place = describeLocation(citation.location, looks);
        return (
          <li key={citation.n} className={classes.cell}>
            <button
              type="button"
              className={classes.card}
              data-active={citation.n === active || undefined}
              onPointerEnter={() => onActive(citation.n)}
              onPointerLeave={() => onActive(null)}
              onFocus={() => onActive(citation.n)}
              onBlur={() => onActive(null)}
              onClick={() => onOpen(citation.n)}
            >
              <span className={classes.top}>
                <span className={number.number} data-active={citation.n === active || undefined}>
                  {citation.n}
                </span>
                <FileTypeIcon {...looks} />
                <span className={classes.name}>
                  <FileName name={citation.fileName} />
                </span>
                {place.short && <PlacePill {...place} />}
                <FileFolder path={citation.path} />
              </span>
              <span className={`${clamped.lines} ${classes.excerpt}`}>
                {renderExcerpt(citation, file?.size)}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
