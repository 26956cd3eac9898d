import classes from './place-pill.module.css';

interface PlacePillProps {
  /** 'Page 7', 'Rent, row 18', 'docs/a.pdf · page 2'. */
  short: string;
  spoken: string;
}

/** A source location. If needed, the text before its last part is shortened. */
export function PlacePill({ short, spoken }: PlacePillProps) {
  const cut = Math.max(short.lastIndexOf(' · '), short.lastIndexOf(', '), 0);
  return (
    <span className={classes.pill} title={spoken}>
      {cut > 0 && <span className={classes.head}>{short.slice(0, cut)}</span>}
      <span className={classes.tail}>{short.slice(cut)}</span>
    </span>
  );
}
