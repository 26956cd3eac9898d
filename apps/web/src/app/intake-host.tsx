import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { notifyError } from '../components/notify.ts';
import { DropTarget, Tray } from '../features/upload/components/tray.tsx';
import { useUploadQueue } from '../features/upload/upload-queue.ts';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import { paths } from './paths.ts';
import type { Taken } from '../features/upload/read-dropped.ts';
import { useOpenFile } from './use-open-file.ts';

export interface Intake {
  id: number;
  files: Promise<Taken[]>;
  /** Pasted text for a note. Empty with files. */
  text: string;
}

interface IntakeHostProps {
  isOver: boolean;
  intakes: readonly Intake[];
}

const taken = new WeakSet<Intake>();

/** The upload tray. It adds what was dropped and pasted to the upload queue. */
export default function IntakeHost({ isOver, intakes }: IntakeHostProps) {
  const queue = useUploadQueue();
  const { isOpen } = useUploadPanel();
  const openFile = useOpenFile();
  const navigate = useNavigate();
  useEffect(() => {
    void queue.resume();
  }, [queue]);
  useEffect(() => {
    for (const intake of intakes) {
      if (taken.has(intake)) continue;
      taken.add(intake);
      if (intake.text !== '') queue.askAbout(intake.text);
      intake.files.then(
        (files) => files.length > 0 && queue.take(files),
        (error: unknown) => notifyError('What was dropped could not be read', error),
      );
    }
  }, [intakes, queue]);
  return (
    <>
      {isOver && <DropTarget />}
      <Tray
        isPanelOpen={isOpen}
        onAsk={({ artifactId, fileName }) =>
          void navigate(paths.search, { state: { files: [{ artifactId, fileName }] } })
        }
        onOpen={openFile}
      />
    </>
  );
}
