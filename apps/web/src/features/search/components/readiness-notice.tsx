import { listArtifacts, READY_POLL_MS, searchReady } from '@engram/contract/browser';
import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall, useTotal } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { Notice } from '../../../components/notice.tsx';
import { plural } from '../../../format/format.ts';

/** Says that files are still being extracted, and how that ended. */
export function ReadinessNotice() {
  const { data: ready } = useCall(
    searchReady,
    {},
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data === true ? false : READY_POLL_MS),
    },
  );
  const [waited, setWaited] = useState(false);
  if (ready === false && !waited) setWaited(true);
  const hasEnded = ready === true && waited;
  const failed = useTotal(
    listArtifacts,
    { query: { status: 'FAILED', archived: 'false', limit: 1 } },
    { enabled: hasEnded, staleTime: 0 },
  );

  if (ready === false) {
    return (
      <Notice live="status" icon={IconClock} tone="warning">
        Some files you uploaded are not ready for search yet. Click on link to check status of file{' '}
        <Link to={paths.files}>All Files</Link>
      </Notice>
    );
  }
  if (!hasEnded || failed === undefined) return null;
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
