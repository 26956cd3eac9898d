import { Text } from '@mantine/core';
import type { Metrics } from '@engram/contract';
import { listLedger } from '@engram/contract/browser';
import { usePages } from '../../../api/use-pages.ts';
import { LedgerTable } from '../../../components/ledger-table.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { Panel } from '../../../components/panel.tsx';
import { plural } from '../../../format/format.ts';

/** The balance of credits, and every change of it. */
export function Credits({ metrics: { credit, enforced } }: { metrics: Metrics }) {
  const ledger = usePages(listLedger, {});
  return (
    <Panel
      title="Credits"
      lead={
        enforced
          ? 'A credit pays for one question when a limit of your plan is used up.'
          : 'A credit pays for one question when a limit is used up. Limits are not enforced here, so none are taken.'
      }
      aside={
        <Text span fz={18} fw={650} lts="-0.015em">
          {plural(credit, 'credit')}
        </Text>
      }
    >
      <PagedList
        pages={ledger}
        nouns={['change of credits', 'changes of credits']}
        empty={
          <Text size="sm" c="dimmed">
            No credits were added or used yet.
          </Text>
        }
      >
        {(entries) => (
          <LedgerTable caption="Changes of your credits, newest first" entries={entries} />
        )}
      </PagedList>
    </Panel>
  );
}
