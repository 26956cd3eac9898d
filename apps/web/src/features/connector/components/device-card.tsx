import type { Device } from '@engram/contract';
import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { formatDateTime, plural } from '../../../format/format.ts';
import { useNow } from '../../../browser/use-now.ts';
import { useEndDevice, useSteerDevice } from '../api.ts';
import { deviceWords, folderWords, isAway } from '../device-words.ts';

interface DeviceCardProps {
  device: Device;
  onEnded: () => void;
}

/** One device: how far its folders are, what it could not send, and what it is to do. */
export function DeviceCard({ device, onEnded }: DeviceCardProps) {
  const { name, platform, version, lastSeenAt, report } = device;
  const seen = formatDateTime(lastSeenAt);
  const away = isAway(device, useNow());
  const titleId = `device-${device.id}`;
  return (
    <Paper component="li" withBorder p={16} radius={14} aria-labelledby={titleId}>
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
        <Text size="sm" fw={600} {...(away ? { c: 'dimmed' } : {})}>
          {away ? `Not seen since ${seen}` : deviceWords(device)}
        </Text>
      </Group>
      {report && report.folders.length > 0 && (
        <Stack component="ul" gap={8} my={14} fz="sm" c="dimmed" aria-label={`Folders of ${name}`}>
          {report.folders.map((folder) => (
            <Group component="li" key={folder.name} gap="0 16px">
              {/* A long state goes below the name rather than leave it no room. */}
              <Text component="strong" inherit flex="1 1 140px" c="var(--eg-ink)" fw={600}>
                <bdi>{folder.name}</bdi>
              </Text>
              <span>{folderWords(folder)}</span>
              <Text span inherit flex="1 0 100%">
                {plural(folder.files, 'file')}
                {folder.refused > 0 && `, ${folder.refused.toLocaleString('en-US')} left out`}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
      <Refused report={report} />
      <Group component="footer" justify="space-between" gap="8px 16px" mt={14}>
        <Text size="sm" c="dimmed">
          {away ? '' : `Last seen ${seen}`}
        </Text>
        <Steering device={device} onEnded={onEnded} />
      </Group>
    </Paper>
  );
}

/** What was left out or refused, each with its reason. */
function Refused({ report }: Pick<Device, 'report'>) {
  const refused = report?.refused ?? [];
  if (refused.length === 0) return null;
  const count = report?.folders.reduce((sum, folder) => sum + folder.refused, 0) ?? 0;
  const more = count - refused.length;
  return (
    <Text component="details" size="sm" c="dimmed">
      <summary>{plural(Math.max(count, refused.length), 'file')} left out, and why</summary>
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

function Steering({ device, onEnded }: DeviceCardProps) {
  const { id, name, paused } = device;
  const steer = useSteerDevice();
  const end = useEndDevice();
  const [asked, setAsked] = useState(false);
  const close = (): void => {
    end.reset();
    setAsked(false);
  };
  return (
    <Group gap={8} align="stretch">
      <Button
        variant="default"
        size="sm"
        disabled={paused}
        loading={steer.isPending && steer.variables.body?.syncNow === true}
        aria-label={`Sync now on ${name}`}
        onClick={() => steer.mutate({ params: { id }, body: { syncNow: true } })}
      >
        Sync now
      </Button>
      <Button
        variant="default"
        size="sm"
        loading={steer.isPending && steer.variables.body?.paused !== undefined}
        aria-label={`${paused ? 'Resume' : 'Pause'} ${name}`}
        onClick={() => steer.mutate({ params: { id }, body: { paused: !paused } })}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="sm"
        aria-label={`End ${name}`}
        onClick={() => setAsked(true)}
      >
        End
      </Button>
      <ConfirmModal
        opened={asked}
        title="End this device"
        question={`${name} sends nothing any more.`}
        consequence="Its files stay in Engram. To go on it has to be let in again."
        yes="End"
        pending={end.isPending}
        onClose={close}
        onConfirm={() =>
          end.mutate(
            { params: { id: device.id } },
            {
              onSuccess: () => {
                close();
                onEnded();
              },
            },
          )
        }
      >
        {end.isError && <FailureNote title="The device was not ended." error={end.error} />}
      </ConfirmModal>
    </Group>
  );
}
