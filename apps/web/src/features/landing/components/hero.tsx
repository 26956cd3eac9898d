import { IconSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ExampleAnswer } from './example-answer.tsx';
import classes from './hero.module.css';
import landing from './landing.module.css';

interface HeroProps {
  onUpload: () => void;
  /** Whether there is anything to search. */
  searchable: boolean;
}

/** What Engram is, in a breath, and the two ways in. */
export function Hero({ onUpload, searchable }: HeroProps) {
  return (
    <section className={classes.hero}>
      <div>
        <h1 className={classes.banner} data-page-heading tabIndex={-1}>
          <span>Your Data.</span> <span>Your AI.</span> <span>Your Brain.</span>{' '}
          <span className={classes.yours}>Your Way!</span>
        </h1>
        <p className={classes.promise}>
          Keep your files and notes in one place, ask in your own words, and get the answer with the
          page it stands on.
        </p>
        <div className={classes.actions}>
          <button className={landing.primary} type="button" onClick={onUpload}>
            UPLOAD FILES
          </button>
          {searchable && (
            <Link className={`${landing.secondary} ${classes.search}`} to={paths.search}>
              <IconSearch size={17} stroke={1.8} aria-hidden="true" />
              Search...
            </Link>
          )}
        </div>
      </div>
      <ExampleAnswer />
    </section>
  );
}
