import { Link } from 'react-router';
import { EXPIRED_MESSAGE } from '../session/account.ts';
import classes from './expired-note.module.css';

/**
 * Says that a plan has expired wherever that stops something.
 * @param plans Where the plans are.
 */
export const ExpiredNote = ({ plans }: { plans: string }) => (
  <p className={classes.note} role="alert">
    {EXPIRED_MESSAGE} <Link to={plans}>See the plans</Link>
  </p>
);
