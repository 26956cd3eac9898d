import { IconArrowsLeftRight, IconFolder } from '@tabler/icons-react';
import { Soon } from '../../../components/soon.tsx';
import classes from './connectors.module.css';
import landing from './landing.module.css';

/** What is to come for folders that keep themselves in step. */
export function Connectors() {
  return (
    <section className={classes.card} aria-labelledby="connectors-heading">
      <div>
        <h2 id="connectors-heading" className={landing.heading}>
          Connectors <Soon />
        </h2>
        <p className={landing.lead}>
          Planned: a small program for your desktop that keeps a folder in step with Engram. Until
          then the upload panel takes as many files as you drop on it.
        </p>
      </div>
      <div className={classes.picture} aria-hidden="true">
        <span className={classes.end}>
          <IconFolder size={20} stroke={1.6} />
          Documents
        </span>
        <IconArrowsLeftRight size={20} stroke={1.6} />
        <span className={classes.end}>
          <span className={classes.mark} />
          Engram
        </span>
      </div>
    </section>
  );
}
