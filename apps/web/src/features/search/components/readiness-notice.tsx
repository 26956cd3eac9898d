import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Notice } from '../../../components/notice.tsx';
import { plural } from '../../../format/format.ts';
import { useSearchReady } from '../api/check-search-ready.ts';
import { useFailedFileCount } from '../api/count-failed-files.ts';

/** Says that files are still being read, and how that ended; silent while nothing is to be said. */
export function ReadinessNotice() {
  const { data: ready } = useSearchReady();
  const [waited, setWaited] = useState(false);
  if (ready === false && !waited) setWaited(true);
  const failed = useFailedFileCount(ready === true && waited);

  if (ready === false) {
    return (
      <Notice live="status" icon={IconClock} tone="warning">
        Some files you uploaded are not ready for search yet. Click on link to check status of file{' '}
        <Link to={paths.files}>All Files</Link>
      </Notice>
    );
  }
  if (failed === undefined) return null;
  if (failed > 0) {
    return (
      <Notice live="status" icon={IconAlertTriangle} tone="warning">
        {plural(failed, 'file')} could not be read. The others are ready to search. What to do
        stands beside each in <Link to={paths.files}>All Files</Link>
      </Notice>
    );
  }
  return (
    <Notice live="status" icon={IconCheck} tone="success">
      All files you uploaded are ready to search
    </Notice>
  );
}
