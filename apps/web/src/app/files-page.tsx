import { Box, Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { Page } from '../components/page.tsx';
import { Files } from '../features/files/components/files.tsx';
import { uploadPanel } from '../artifacts/dialogs.ts';
import { useHasNoArtifacts } from '../session/session.ts';

export default function FilesPage() {
  const isEmpty = useHasNoArtifacts();
  return (
    <Page
      title="Files"
      lead={
        <Box component="span" visibleFrom="sm">
          All your files, and whether they are ready for search.
        </Box>
      }
      actions={
        !isEmpty && (
          <Button
            visibleFrom="sm"
            leftSection={<IconUpload size={16} stroke={1.8} />}
            onClick={() => uploadPanel.set(true)}
          >
            Upload
          </Button>
        )
      }
    >
      {/* The layout depends on the width of the list, as the evidence pane may be beside it. */}
      <div style={{ container: 'files / inline-size' }}>
        <Files />
      </div>
    </Page>
  );
}
