import { Loader as Ring } from '@mantine/core';
import classes from './checkout.module.css';

/** Covers the whole screen while something is loaded; unseen when that is quick. */
export function Loader({ label }: { label: string }) {
  return (
    <output className={classes.loader} aria-label={label}>
      <Ring aria-hidden="true" />
    </output>
  );
}
