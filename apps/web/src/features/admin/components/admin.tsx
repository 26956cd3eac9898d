import { Tabs } from '@mantine/core';
import { Panel } from '../../../components/panel.tsx';
import tabRow from '../../../components/tabs.module.css';
import { AddCredits } from './add-credits.tsx';
import { AuditLog, Ledger, Users } from './lists.tsx';

/** The section for admins. A list is read only when its tab is opened, as reading it is logged. */
export default function Admin() {
  return (
    <>
      <AddCredits />
      <Panel title="Everybody">
        <Tabs
          defaultValue="users"
          keepMounted={false}
          classNames={{ list: tabRow.list ?? '', tab: tabRow.tab ?? '' }}
        >
          <Tabs.List>
            <Tabs.Tab value="users">Users</Tabs.Tab>
            <Tabs.Tab value="ledger">Credit ledger</Tabs.Tab>
            <Tabs.Tab value="audit">Audit log</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel pt={20} value="users">
            <Users />
          </Tabs.Panel>
          <Tabs.Panel pt={20} value="ledger">
            <Ledger />
          </Tabs.Panel>
          <Tabs.Panel pt={20} value="audit">
            <AuditLog />
          </Tabs.Panel>
        </Tabs>
      </Panel>
    </>
  );
}
