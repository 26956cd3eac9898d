import type { Citation } from '@engram/contract';
import { getArtifact } from '@engram/contract/browser';
import {
  IconDownload,
  IconExternalLink,
  IconLink,
  IconPencil,
  IconSearch,
  IconTrash,
} from '@tabler/icons-react';
import { useCall } from '../../../api/use-call.ts';
import { useDeleteDialog, useNoteEditor } from '../../../artifacts/dialogs.ts';
import type { SignedFile } from '../../../artifacts/signed-file.ts';
import { copyText } from '../../../browser/copy-text.ts';
import { Menu } from '../../../components/menu.tsx';

/** The address of a stretch of a file in this app. */
function addressOf({ artifactId, start, end }: Citation): string {
  const place = end > start ? `?from=${start}&to=${end}` : '';
  return `${window.location.origin}/source/${artifactId}${place}`;
}

interface ViewerMenuProps {
  citation: Citation;
  file: SignedFile;
  /** Given where there is no room for a button of its own. */
  onFind?: () => void;
}

/** What else can be done with the file that is shown. */
export function ViewerMenu({ citation, file, onFind }: ViewerMenuProps) {
  const { artifactId } = citation;
  const isText = file.fileType.startsWith('text/');
  const { data: artifact } = useCall(getArtifact, isText ? { params: { artifactId } } : null);
  const editNote = useNoteEditor();
  const askToDelete = useDeleteDialog();
  return (
    <Menu
      label="More"
      zIndex={300}
      groups={[
        [
          onFind !== undefined && {
            icon: IconSearch,
            label: 'Find in this file',
            onClick: onFind,
          },
          artifact?.source === 'Text' && {
            icon: IconPencil,
            label: 'Edit',
            onClick: () => editNote({ artifactId, fileName: file.fileName }),
          },
          { icon: IconExternalLink, label: 'Open in a new tab', href: file.presignedUrl },
          {
            icon: IconDownload,
            label: 'Download',
            href: file.presignedUrl,
            download: file.fileName,
          },
          {
            icon: IconLink,
            label: 'Copy a link to this place',
            onClick: () =>
              void copyText(addressOf(citation), {
                done: 'The link is copied.',
                failed: 'The link could not be copied',
              }),
          },
        ],
        [
          {
            icon: IconTrash,
            label: 'Delete',
            tone: 'danger',
            onClick: () => askToDelete({ artifactIds: [artifactId], name: file.fileName }),
          },
        ],
      ]}
    />
  );
}
