import { UploadPanel } from '../features/upload/components/upload-panel.tsx';
import { removeShared } from '../features/installation/share-inbox.ts';
import type { HandedIn } from '../artifacts/dialogs.ts';

interface UploadPanelHostProps {
  opened: boolean;
  onClose: () => void;
  handedIn: readonly HandedIn[];
  onTaken: () => void;
}

/** The upload panel with the content that other apps share. */
export function UploadPanelHost(props: UploadPanelHostProps) {
  return <UploadPanel {...props} onSettled={(ids) => void removeShared(ids, Date.now())} />;
}
