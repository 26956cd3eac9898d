import type { Citation } from '@engram/contract';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconExternalLink,
  IconLink,
  IconPencil,
} from '@tabler/icons-react';
import { useNoteEditor } from '../../../artifacts/note-editor.ts';
import type { SignedFile } from '../../../artifacts/signed-file.ts';
import { copyText } from '../../../browser/copy-text.ts';
import { useIsNote } from '../api/get-artifact.ts';

/** The address of a stretch of a file in this app. */
function addressOf({ artifactId, start, end }: Citation): string {
  const place = end > start ? `?from=${start}&to=${end}` : '';
  return `${window.location.origin}/source/${artifactId}${place}`;
}

/** What else can be done with the file that is shown. */
export function ViewerMenu({ citation, file }: { citation: Citation; file: SignedFile }) {
  const { artifactId } = citation;
  const isNote = useIsNote(artifactId, file.fileType);
  const editNote = useNoteEditor();
  return (
    <Menu position="bottom-end" zIndex={300}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="var(--eg-control)" aria-label="More">
          <IconDots size={18} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isNote && (
          <Menu.Item
            leftSection={<IconPencil size={16} />}
            onClick={() => editNote({ artifactId, fileName: file.fileName })}
          >
            Edit
          </Menu.Item>
        )}
        <Menu.Item
          component="a"
          href={file.presignedUrl}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconExternalLink size={16} />}
        >
          Open in a new tab
        </Menu.Item>
        <Menu.Item
          component="a"
          href={file.presignedUrl}
          download={file.fileName}
          leftSection={<IconDownload size={16} />}
        >
          Download
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLink size={16} />}
          onClick={() =>
            void copyText(addressOf(citation), {
              done: 'The link is copied.',
              failed: 'The link could not be copied',
            })
          }
        >
          Copy a link to this place
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
