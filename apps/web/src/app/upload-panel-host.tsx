import { useAddKeyword } from '../features/keywords/api/add-keyword.ts';
import { activeKeywords, useKeywords } from '../features/keywords/api/list-keywords.ts';
import { UploadPanel } from '../features/upload/components/upload-panel.tsx';

interface UploadPanelHostProps {
  opened: boolean;
  onClose: () => void;
}

/** The upload panel with the person's keywords. */
export function UploadPanelHost({ opened, onClose }: UploadPanelHostProps) {
  const { data: keywords } = useKeywords();
  const addKeyword = useAddKeyword();
  return (
    <UploadPanel
      opened={opened}
      onClose={onClose}
      knownKeywords={activeKeywords(keywords)}
      onCreateKeyword={addKeyword.mutateAsync}
    />
  );
}
