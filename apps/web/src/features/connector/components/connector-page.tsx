import { Stack, Box, Button, Group, Paper, Text } from '@mantine/core';
import { AppText, sectionsOf } from '../../../components/app-text.tsx';
import { Clip } from '../../../components/clip.tsx';
import { ListSection, CallList } from '../../../components/lists.tsx';
import { LoadingBlocks, LoadState } from '../../../components/loading-blocks.tsx';
import { Prose } from '../../../components/prose.tsx';
import { useSignedIn } from '../../../session/session.ts';
import markdown from '../connector.md?raw';
import { Page } from '../../../components/page.tsx';
import type { ConnectorBuild, Device } from '@engram/contract';
import { listConnectorBuilds, endDevice, listDevices, steerDevice } from '@engram/contract/browser';
import {
  type Icon,
  IconBrandApple,
  IconBrandWindows,
  IconTerminal2,
  IconDeviceDesktop,
} from '@tabler/icons-react';
import { useCall } from '../../../api/use-call.ts';
import { formatBytes, formatDateTime, plural } from '../../../format/format.ts';
import { useAction } from '../../../api/use-action.ts';
import { useNow } from '../../../browser/clock.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { notifyError } from '../../../components/notify.ts';

export default function ConnectorPage() {
  return (
    <Page
      title="Connector"
      lead="A small program for your desktop that syncs folders with your files here."
      width="text"
    >
      <Connector />
    </Page>
  );
}

function Connector() {
  const signedIn = useSignedIn();
  const { isLoading } = useDevices(signedIn);
  // The page is shown with its devices, so that the layout does not shift.
  if (isLoading) return <LoadingBlocks label="Loading your devices" heights={[280, 420]} />;
  return (
    <Stack gap={36}>
      {signedIn && (
        <ListSection id="devices" title="Your devices">
          <Devices />
        </ListSection>
      )}
      <Clip name="engram-connector" label="Syncing a folder">
        A folder is chosen on the Connector’s page, which shows the number and size of its files. A
        moment later all of them are in Engram.
      </Clip>
      {sectionsOf(markdown, '# ').map(({ id, title, body }) => (
        <ListSection key={id} id={id} title={title}>
          {id === 'downloads' ? (
            <Downloads />
          ) : (
            <Prose maw="76ch">
              <AppText level={3}>{body}</AppText>
            </Prose>
          )}
        </ListSection>
      ))}
    </Stack>
  );
}

interface System {
  platform: ConnectorBuild['platform'];
  name: string;
  icon: Icon;
}

const systems: readonly System[] = [
  { platform: 'windows', name: 'Windows', icon: IconBrandWindows },
  { platform: 'macos-arm64', name: 'macOS (Apple silicon)', icon: IconBrandApple },
  { platform: 'macos-x64', name: 'macOS (Intel)', icon: IconBrandApple },
  { platform: 'linux', name: 'Linux', icon: IconTerminal2 },
];

function Downloads() {
  const call = useCall(listConnectorBuilds, {});
  const builds = call.data;
  if (!builds) return <LoadState call={call} what="the downloads" heights={[60, 60]} />;
  return (
    <>
      <Group component="ul" align="stretch" gap={12}>
        {systems.map((system) => (
          <Download
            key={system.platform}
            system={system}
            build={builds.find(({ platform }) => platform === system.platform)}
          />
        ))}
      </Group>
      {builds.length < systems.length && (
        <Text inherit mt={12} c="dimmed" lh={1.6}>
          {builds.length === 0 ? 'No downloads have been built yet.' : 'Some were not built.'} The
          operator builds them with <code>npm run connector</code>.
        </Text>
      )}
      <Text inherit mt={12} c="dimmed" lh={1.6}>
        The Connector was tested on Linux. The packages for Windows and macOS were built and
        inspected, but not run there yet. They are not signed, so both systems ask on the first
        start whether you trust them. On Linux, make the file executable with <code>chmod +x</code>.
      </Text>
    </>
  );
}

function Download({ system, build }: { system: System; build: ConnectorBuild | undefined }) {
  const { name, icon: SystemIcon } = system;
  return (
    <Paper component="li" flex="1 1 min(400px, 100%)" px={16} py={14} radius={14}>
      <Group gap={14} wrap="nowrap">
        <SystemIcon size={26} stroke={1.5} aria-hidden="true" />
        <Box flex={1} miw={0} fz="sm" c="dimmed">
          <Text component="strong" display="block" c="var(--eg-ink)" fw={600}>
            {name}
          </Text>
          {build && (
            <>
              <span>
                Version {build.version}, {formatBytes(build.size)}
              </span>
              <details>
                <summary>SHA-256</summary>
                <Text component="code" fz={11.5}>
                  {build.sha256}
                </Text>
              </details>
            </>
          )}
        </Box>
        {build ? (
          <Button
            component="a"
            href={`/v1/connector/builds/${encodeURIComponent(build.fileName)}`}
            download={build.fileName}
            variant="default"
            aria-label={`Download for ${name}`}
          >
            Download
          </Button>
        ) : (
          <Button variant="default" disabled aria-label={`Not built for ${name}`}>
            Not built
          </Button>
        )}
      </Group>
    </Paper>
  );
}

const POLL_MS = 10_000;

const useDevices = (enabled: boolean) =>
  useCall(listDevices, {}, { refetchInterval: POLL_MS, staleTime: 0, enabled });

const Devices = () => (
  <CallList
    call={useDevices(true)}
    what="your devices"
    heights={[120]}
    empty={
      <Text inherit c="dimmed" lh={1.6}>
        No device is connected. Download the Connector below. It is listed here once it is paired.
      </Text>
    }
  >
    {(devices) => (
      <Stack component="ul" gap={12} aria-label="Devices">
        {devices.map((device) => (
          <DeviceCard key={device.id} device={device} />
        ))}
      </Stack>
    )}
  </CallList>
);

const UNAVAILABLE_AFTER_MS = 5 * 60_000;

function DeviceCard({ device }: { device: Device }) {
  const { name, platform, version, lastSeenAt, report } = device;
  const lastSeen = formatDateTime(lastSeenAt);
  const isUnavailable = useNow().getTime() - new Date(lastSeenAt).getTime() > UNAVAILABLE_AFTER_MS;
  const titleId = `device-${device.id}`;
  return (
    <Paper component="li" p={16} radius={14} aria-labelledby={titleId}>
      <Group component="header" gap="4px 14px">
        <IconDeviceDesktop color="var(--eg-ink-3)" size={22} stroke={1.5} aria-hidden="true" />
        <Box flex={1} miw={160}>
          <Text component="h3" id={titleId} fw={600}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            <bdi>{platform}</bdi>, version <bdi>{version}</bdi>
          </Text>
        </Box>
        <Text size="sm" fw={600} {...(isUnavailable && { c: 'dimmed' })}>
          {isUnavailable ? `Not seen since ${lastSeen}` : stateOf(device)}
        </Text>
      </Group>
      {report && report.folders.length > 0 && (
        <Stack component="ul" gap={8} my={14} fz="sm" c="dimmed" aria-label={`Folders of ${name}`}>
          {report.folders.map((folder) => (
            <Group component="li" key={folder.name} gap="0 16px">
              {/* A long state wraps below the name. */}
              <Text component="strong" inherit flex="1 1 140px" c="var(--eg-ink)" fw={600}>
                <bdi>{folder.name}</bdi>
              </Text>
              <span>{folderStates[folder.state](folder.waiting)}</span>
              <Text span inherit flex="1 0 100%">
                {plural(folder.files, 'file')}
                {folder.refused > 0 && `, ${folder.refused.toLocaleString('en-US')} left out`}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
      <LeftOut report={report} />
      <Group component="footer" justify="space-between" gap="8px 16px" mt={14}>
        <Text size="sm" c="dimmed">
          {isUnavailable ? '' : `Last seen ${lastSeen}`}
        </Text>
        <Controls device={device} />
      </Group>
    </Paper>
  );
}

type Folder = NonNullable<Device['report']>['folders'][number];

const folderStates: Record<Folder['state'], (waiting: number) => string> = {
  current: () => 'Up to date',
  syncing: (waiting) => (waiting > 0 ? `${plural(waiting, 'file')} waiting` : 'Checking the files'),
  paused: () => 'Paused',
  missing: () => 'The folder is missing. Nothing changes until it is back',
  waiting: (waiting) => (waiting > 0 ? `Waiting to send ${plural(waiting, 'file')}` : 'Waiting'),
};

function stateOf({ report, paused, syncAskedAt, lastSeenAt }: Device): string {
  if (paused) return 'Paused';
  if (syncAskedAt !== null && new Date(syncAskedAt) > new Date(lastSeenAt)) {
    return 'Sync requested';
  }
  if (!report || report.folders.length === 0) return 'No folder selected yet';
  const total = (count: 'waiting' | 'refused'): number =>
    report.folders.reduce((sum, folder) => sum + folder[count], 0);
  if (total('waiting') > 0) return `${plural(total('waiting'), 'file')} waiting`;
  const states = new Set(report.folders.map(({ state }) => state));
  if (states.has('missing')) return 'A folder is missing';
  if (states.has('syncing')) return 'Checking the files';
  if (states.has('waiting')) return 'Waiting';
  return total('refused') > 0
    ? `In Engram, except ${plural(total('refused'), 'file')}`
    : 'Everything is in Engram';
}

function LeftOut({ report }: Pick<Device, 'report'>) {
  const refused = report?.refused ?? [];
  if (refused.length === 0) return null;
  const count = report?.folders.reduce((sum, folder) => sum + folder.refused, 0) ?? 0;
  const more = count - refused.length;
  return (
    <Text component="details" size="sm" c="dimmed">
      <summary>
        Why {plural(Math.max(count, refused.length), 'file was', 'files were')} left out
      </summary>
      <Stack component="ul" gap={6} my={8} mah={260} style={{ overflowY: 'auto' }}>
        {refused.map(({ path, reason }) => (
          <li key={path}>
            <Text component="bdi" inherit display="block" c="var(--eg-ink)">
              {path}
            </Text>
            {reason}
          </li>
        ))}
      </Stack>
      {more > 0 && <p>And {more.toLocaleString('en-US')} more.</p>}
    </Text>
  );
}

function Controls({ device: { id, name, paused } }: { device: Device }) {
  // The change reaches the device with its next report.
  const steer = useAction(steerDevice, {
    onError: (error) => notifyError('The device was not reached', error),
    invalidates: [listDevices],
  });
  const end = useAction(endDevice, { acceptMissing: true, invalidates: [listDevices] });
  return (
    <Group gap={8} align="stretch">
      <Button
        variant="default"
        disabled={paused}
        loading={steer.isPending && steer.variables.body?.syncNow === true}
        aria-label={`Sync now on ${name}`}
        onClick={() => steer.mutate({ params: { id }, body: { syncNow: true } })}
      >
        Sync now
      </Button>
      <Button
        variant="default"
        loading={steer.isPending && steer.variables.body?.paused !== undefined}
        aria-label={`${paused ? 'Resume' : 'Pause'} ${name}`}
        onClick={() => steer.mutate({ params: { id }, body: { paused: !paused } })}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <ConfirmButton
        label="End"
        accessibleLabel={`End ${name}`}
        button={{ variant: 'subtle' }}
        title="End this device"
        question={`${name} will send nothing more.`}
        consequence="Its files stay in Engram. To sync again, pair it again."
        yes="End"
        action={end}
        input={{ params: { id } }}
        failure="The device was not ended."
      />
    </Group>
  );
}
