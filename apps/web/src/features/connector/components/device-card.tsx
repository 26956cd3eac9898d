import type { Device } from '@engram/contract';
import { Button, Group } from '@mantine/core';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { formatDateTime, plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useNow } from '../../../browser/use-now.ts';
import { useEndDevice, useSteerDevice } from '../api/devices.ts';
import { deviceWords, folderWords, isAway } from '../device-words.ts';
import classes from './devices.module.css';

interface DeviceCardProps {
  device: Device;
  onEnded: () => void;
}

/** One device: how far its folders are, what it could not send, and what it is to do. */
export function DeviceCard({ device, onEnded }: DeviceCardProps) {
  const { timeZone, labelOf } = useTimeZone();
  const { name, platform, version, lastSeenAt, report } = device;
  const seen = `${formatDateTime(lastSeenAt, timeZone)} ${labelOf(lastSeenAt)}`;
  const away = isAway(device, useNow());
  const titleId = `device-${device.id}`;
  return (
    <li className={classes.card} aria-labelledby={titleId}>
      <header className={classes.head}>
        <IconDeviceDesktop size={22} stroke={1.5} aria-hidden="true" />
        <div className={classes.words}>
          <h3 id={titleId}>
            <bdi>{name}</bdi>
          </h3>
          <p>
            <bdi>{platform}</bdi>, version <bdi>{version}</bdi>
          </p>
        </div>
        <p className={classes.state} data-away={away || undefined}>
          {away ? `Not seen since ${seen}` : deviceWords(device)}
        </p>
      </header>
      {report && report.folders.length > 0 && (
        <ul className={classes.folders} aria-label={`Folders of ${name}`}>
          {report.folders.map((folder) => (
            <li key={folder.name}>
              <strong>
                <bdi>{folder.name}</bdi>
              </strong>
              <span>{folderWords(folder)}</span>
              <span>
                {plural(folder.files, 'file')}
                {folder.refused > 0 && `, ${folder.refused.toLocaleString('en-US')} left out`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Refused report={report} />
      <footer className={classes.foot}>
        <p>{away ? '' : `Last seen ${seen}`}</p>
        <Steering device={device} onEnded={onEnded} />
      </footer>
    </li>
  );
}

/** What was left out or refused, each with its reason. */
function Refused({ report }: Pick<Device, 'report'>) {
  const refused = report?.refused ?? [];
  if (refused.length === 0) return null;
  const count = report?.folders.reduce((sum, folder) => sum + folder.refused, 0) ?? 0;
  const more = count - refused.length;
  return (
    <details className={classes.refused}>
      <summary>{plural(Math.max(count, refused.length), 'file')} left out, and why</summary>
      <ul>
        {refused.map(({ path, reason }) => (
          <li key={path}>
            <bdi>{path}</bdi>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {more.toLocaleString('en-US')} more.</p>}
    </details>
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
        loading={steer.isPending && steer.variables.syncNow === true}
        aria-label={`Sync now on ${name}`}
        onClick={() => steer.mutate({ id, syncNow: true })}
      >
        Sync now
      </Button>
      <Button
        variant="default"
        size="sm"
        loading={steer.isPending && steer.variables.paused !== undefined}
        aria-label={`${paused ? 'Resume' : 'Pause'} ${name}`}
        onClick={() => steer.mutate({ id, paused: !paused })}
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
          end.mutate(device, {
            onSuccess: () => {
              close();
              onEnded();
            },
          })
        }
      >
        {end.isError && <FailureNote title="The device was not ended." error={end.error} />}
      </ConfirmModal>
    </Group>
  );
}
