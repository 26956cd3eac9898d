import type { Citation } from '@engram/contract';
import classes from '../../../components/citation-number.module.css';
import { describeLocation } from '../../../artifacts/location.ts';

interface CitationButtonProps {
  citation: Citation;
  active: boolean;
  /** The source that is pointed at or focused, or null. */
  onActive: (n: number | null) => void;
  onOpen: (n: number) => void;
}

/** The small number in an answer's text that stands for a source. */
export function CitationButton({ citation, active, onActive, onOpen }: CitationButtonProps) {
  const { n, fileName } = citation;
  const { spoken } = describeLocation(citation.location, citation);
  return (
    <button
      type="button"
      className={classes.number}
      data-inline
      data-active={active || undefined}
      aria-label={`Source ${n}: ${[fileName, spoken].filter(Boolean).join(', ')}`}
      onPointerEnter={() => onActive(n)}
      onPointerLeave={() => onActive(null)}
      onFocus={() => onActive(n)}
      onBlur={() => onActive(null)}
      onClick={() => onOpen(n)}
    >
      {n}
    </button>
  );
}
