import type { ConnectorBuild } from '@engram/contract';
import { listConnectorBuilds } from '@engram/contract/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** The files of the Connector that this server offers. */
export function useConnectorBuilds(): UseQueryResult<ConnectorBuild[]> {
  return useQuery({
    queryKey: ['connector-builds'],
    queryFn: async ({ signal }) => (await api.call(listConnectorBuilds, {}, { signal })).data,
  });
}

/** Where a file of the Connector is downloaded from. */
export const addressOf = ({ fileName }: ConnectorBuild): string =>
  `/v1/connector/builds/${encodeURIComponent(fileName)}`;
