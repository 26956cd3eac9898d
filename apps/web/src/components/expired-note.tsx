import { Link } from 'react-router';
import { EXPIRED_MESSAGE } from '../session/account.ts';
import { Notice } from './notice.tsx';

/**
 * Says that a plan has expired wherever that stops something.
 * @param plans Where the plans are.
 */
export const ExpiredNote = ({ plans }: { plans: string }) => (
  <Notice tone="danger" live="alert">
    {EXPIRED_MESSAGE} <Link to={plans}>See the plans</Link>
  </Notice>
);
