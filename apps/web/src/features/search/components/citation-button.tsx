import type { Citation } from '@engram/contract';
import { UnstyledButton } from '@mantine/core';
import classes from '../../../components/citation-number.module.css';
import { usePointed } from '../../../artifacts/evidence.ts';
import { describeLocation } from '../../../artifacts/location.ts';

interface CitationButtonProps {
  citation: Citation;
  onOpen: (n: number) => void;
}

/** The small number in an answer's text that stands for a source. */
export function CitationButton({ citation, onOpen }: CitationButtonProps) {
  const { n, fileName } = citation;
  const { spoken } = describeLocation(citation.location, citation);
  return (
    <UnstyledButton
      className={classes.number}
      data-inline
      aria-label={`Source ${n}: ${[fileName, spoken].filter(Boolean).join(', ')}`}
      {...usePointed(citation)}
      onClick={() => onOpen(n)}
    >
      {n}
    </UnstyledButton>
  );
}
