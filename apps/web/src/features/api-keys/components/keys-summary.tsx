import type { ApiKey } from '@engram/contract';
import { listApiKeys } from '@engram/contract/browser';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { Panel } from '../../../components/panel.tsx';
import { plural } from '../../../format/format.ts';
import { messageOf } from '../../../components/notify.ts';
import { startFromCache } from '../../../session/session-cache.ts';

export const useApiKeys = () => useCall(listApiKeys, {}, startFromCache<ApiKey[]>('apiKeys'));

export function KeysSummary() {
  const { data: keys, error } = useApiKeys();
  const readOnly = keys?.filter((key) => key.readOnly).length ?? 0;
  const counted = (): string => {
    if (!keys) return error ? messageOf(error) : 'Loading your keys…';
    if (keys.length === 0) return 'No program has a key to your account.';
    const opens = keys.length === 1 ? 'opens' : 'open';
    const reading =
      readOnly > 0 ? `, ${readOnly.toLocaleString('en-US')} of them only to read` : '';
    return `${plural(keys.length, 'key')} ${opens} your account to programs${reading}.`;
  };
  return (
    <Panel
      title="API keys"
      lead={counted()}
      aside={
        <Button component={Link} to={paths.api} variant="default" size="sm">
          Manage API keys
        </Button>
      }
    />
  );
}
