import type { ComputedFigure as Computed } from '@engram/contract';
import { figureWords } from '@engram/contract/browser';
import { IconMathFunction } from '@tabler/icons-react';
import classes from './computed-figure.module.css';
import type { LeadValue } from './lead-value.ts';

interface ComputedFigureProps {
  computed: Computed;
  /** The figure as the answer writes it, with its unit; without it the bare number is shown. */
  lead: LeadValue | null;
  /** How many places the answer cites. */
  cited: number;
}

/** A computed figure, and what it was computed from: every row of it is cited or counted. */
export function ComputedFigure({ computed, lead, cited }: ComputedFigureProps) {
  const some = cited > 0 && cited < computed.rows;
  return (
    <figure className={classes.figure}>
      <p className={classes.value}>
        {lead?.value ?? computed.value.toLocaleString('en-US', { maximumFractionDigits: 2 })}
      </p>
      <figcaption className={classes.caption}>
        {lead?.of && <p className={classes.of}>{lead.of}</p>}
        <p className={classes.basis}>
          <IconMathFunction size={16} stroke={1.8} aria-hidden="true" />
          <span>
            {figureWords(computed)}
            {some && `, ${cited} of them cited below`}
          </span>
        </p>
      </figcaption>
    </figure>
  );
}
