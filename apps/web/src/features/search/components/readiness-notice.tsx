import { IconCheck, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useSearchReady } from '../api/check-search-ready.ts';
import classes from './notices.module.css';

/** Says that files are still being read, and when they all are; silent while nothing is to be said. */
export function ReadinessNotice() {
  const { data: ready } = useSearchReady();
  const [waited, setWaited] = useState(false);
  if (ready === false && !waited) setWaited(true);

  if (ready === false) {
    return (
      <output className={classes.notice} data-tone="warning">
        <IconClock size={17} stroke={1.8} aria-hidden="true" />
        <span>
          Some files you uploaded are not ready for search yet. Click on link to check status of
          file <Link to={paths.files}>All Files</Link>
        </span>
      </output>
    );
  }
  if (!ready || !waited) return null;
  return (
    <output className={classes.notice} data-tone="success">
      <IconCheck size={17} stroke={2} aria-hidden="true" />
      <span>All files you uploaded are ready to search</span>
    </output>
  );
}
