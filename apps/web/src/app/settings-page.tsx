import { Anchor, Tabs } from '@mantine/core';
import { IconHourglassEmpty } from '@tabler/icons-react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useScrollToItem } from '../browser/use-scroll-to-item.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { lazyPart } from '../components/lazy-part.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Page } from '../components/page.tsx';
import tabRow from '../components/tabs.module.css';
import { ApiKeys } from '../features/api-keys/components/api-keys.tsx';
import { paths } from './paths.ts';

const tabs = [
  { id: 'api-keys', label: 'Api Keys' },
  { id: 'security', label: 'Security & Permissions' },
  { id: 'integrations', label: 'Integrations' },
  { id: 'notifications', label: 'Notificaitons' },
] as const;

const [first] = tabs;

const Integrations = lazyPart(
  () => import('./integrations.tsx'),
  <LoadingBlocks label="Loading the integrations" heights={[270, 250, 200]} />,
);

export default function SettingsPage() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const open = tabs.find(({ id }) => hash === `#${id}`) ?? first;
  const list = useScrollToItem<HTMLDivElement>(`[id$="-tab-${open.id}"]`);
  return (
    <Page
      title="Api"
      lead={
        <>
          API keys let your own programs upload files and ask questions. The{' '}
          <Anchor
            component={Link}
            inherit
            underline="always"
            to={`${paths.documentation}#authentication`}
          >
            documentation
          </Anchor>{' '}
          shows how to use them.
        </>
      }
    >
      <Tabs
        value={open.id}
        onChange={(id) =>
          void navigate({ hash: id ?? first.id }, { replace: true, preventScrollReset: true })
        }
        keepMounted={false}
        classNames={{ list: tabRow.list ?? '', tab: tabRow.tab ?? '' }}
      >
        <Tabs.List ref={list} aria-label="Settings">
          {tabs.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ id }) => (
          <Tabs.Panel key={id} value={id} pt={28}>
            {id === 'api-keys' && <ApiKeys />}
            {id === 'integrations' && <Integrations />}
            {(id === 'security' || id === 'notifications') && (
              <EmptyState
                icon={<IconHourglassEmpty size={24} stroke={1.6} />}
                title="Please check back soon."
                text="There are no settings here yet."
              />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
