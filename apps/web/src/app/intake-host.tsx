import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useAppSettings } from '../api/settings.ts';
import { notifyError } from '../components/notify.ts';
import { DropTarget } from '../features/upload/components/drop-target.tsx';
import { Tray } from '../features/upload/components/tray.tsx';
import { trayOf } from '../features/upload/tray-store.ts';
import { paths } from './paths.ts';
import type { Intake } from './use-intake.ts';
import { useOpenFile } from './use-open-file.ts';

interface IntakeHostProps {
  isOver: boolean;
  intakes: readonly Intake[];
}

const taken = new WeakSet<Intake>();

/** The tray with what was dropped and pasted in it. */
export default function IntakeHost({ isOver, intakes }: IntakeHostProps) {
  const tray = trayOf(useQueryClient());
  const limits = useAppSettings();
  const openFile = useOpenFile();
  const navigate = useNavigate();
  useEffect(() => {
    void tray.resume(limits);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, with the limits of the start
  }, [tray]);
  useEffect(() => {
    for (const intake of intakes) {
      if (taken.has(intake)) continue;
      taken.add(intake);
      if (intake.text !== '') tray.askAbout(intake.text);
      intake.files.then(
        (files) => files.length > 0 && tray.take(files, limits),
        (error: unknown) => notifyError('What was dropped could not be read', error),
      );
    }
  }, [intakes, tray, limits]);
  return (
    <>
      {isOver && <DropTarget />}
      <Tray
        onAsk={({ artifactId, fileName }) =>
          void navigate(paths.search, { state: { files: [{ artifactId, fileName }] } })
        }
        onOpen={openFile}
      />
    </>
  );
}
