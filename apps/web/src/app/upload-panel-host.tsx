import { activeKeywords, useAddKeyword, useKeywords } from '../features/keywords/api.ts';
import { UploadPanel } from '../features/upload/components/upload-panel.tsx';
import { removeShared } from '../features/installation/share-inbox.ts';
import type { HandedIn } from '../artifacts/dialogs.ts';

interface UploadPanelHostProps {
  opened: boolean;
  onClose: () => void;
  /** What came from elsewhere and is to be put in. */
  handedIn: readonly HandedIn[];
  onTaken: () => void;
}

/** The upload panel with the person's keywords. */
export function UploadPanelHost({ opened, onClose, handedIn, onTaken }: UploadPanelHostProps) {
  const { data: keywords } = useKeywords();
  const addKeyword = useAddKeyword();
  return (
    <UploadPanel
      opened={opened}
      onClose={onClose}
      knownKeywords={activeKeywords(keywords)}
      onCreateKeyword={addKeyword.mutateAsync}
      handedIn={handedIn}
      onTaken={onTaken}
      onSettled={(ids) => void removeShared(ids, Date.now())}
    />
  );
}
