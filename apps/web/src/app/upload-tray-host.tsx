import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import { DropTarget, Tray } from '../features/upload/components/tray.tsx';
import { useUploadQueue } from '../features/upload/upload-queue.ts';
import { paths } from './paths.ts';
import { useOpenFile } from './use-open-file.ts';

export default function UploadTrayHost({ isOver }: { isOver: boolean }) {
  const queue = useUploadQueue();
  const { isOpen } = useUploadPanel();
  const openFile = useOpenFile();
  const navigate = useNavigate();
  useEffect(() => {
    void queue.resume();
  }, [queue]);
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
