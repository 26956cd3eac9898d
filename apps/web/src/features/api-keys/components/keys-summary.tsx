import type { ApiKey } from '@engram/contract';
import { listApiKeys } from '@engram/contract/browser';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { Panel } from '../../../components/panel.tsx';
import { plural } from '../../../format/format.ts';
import { messageOf } from '../../../components/notify.ts';
import { sessionCacheOptions } from '../../../session/session-cache.ts';

export const useApiKeys = () => useCall(listApiKeys, {}, sessionCacheOptions<ApiKey[]>('apiKeys'));

export function KeysSummary() {
  const { data: keys, error } = useApiKeys();
  const readOnly = keys?.filter((key) => key.readOnly).length ?? 0;
  const lead = (): string => {
    if (!keys) return error ? messageOf(error) : 'Loading your keys…';
    if (keys.length === 0) return 'No program has access to your account by a key.';
    const gives = keys.length === 1 ? 'gives' : 'give';
    const note = readOnly > 0 ? `, ${readOnly.toLocaleString('en-US')} of them read only` : '';
    return `${plural(keys.length, 'key')} ${gives} programs access to your account${note}.`;
  };
  return (
    <Panel
      title="API keys"
      lead={lead()}
      aside={
        <Button component={Link} to={paths.api} variant="default" size="sm">
          Manage API keys
        </Button>
      }
    />
  );
}
