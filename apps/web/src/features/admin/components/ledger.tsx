import { Text } from '@mantine/core';
import type { AdminLedgerEntry } from '@engram/contract';
import { listAllLedger } from '@engram/contract/browser';
import type { ReactNode } from 'react';
import { usePages } from '../../../api/use-pages.ts';
import { LedgerTable } from '../../../components/ledger-table.tsx';
import { PagedList } from '../../../components/paged-list.tsx';

const userOf = ({ userId, email }: AdminLedgerEntry): ReactNode =>
  email ?? <span title={userId}>User {userId.slice(0, 8)}</span>;

/** Every change of anybody's credits. */
export function Ledger() {
  const ledger = usePages(listAllLedger, {}, { isLogged: true });
  return (
    <PagedList
      pages={ledger}
      nouns={['change of credits', 'changes of credits']}
      empty={
        <Text inherit py={24} c="dimmed" ta="center">
          No credits were added or used yet.
        </Text>
      }
    >
      {(entries) => (
        <LedgerTable caption="Changes of credits, newest first" entries={entries} userOf={userOf} />
      )}
    </PagedList>
  );
}
