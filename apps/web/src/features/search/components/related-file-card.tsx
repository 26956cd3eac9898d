import { Group, Paper, Text } from '@mantine/core';
import type { RelatedFile } from '@engram/contract';
import { IconArchive, IconArchiveOff, IconEye } from '@tabler/icons-react';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { formatBytes } from '../../../format/format.ts';
import { useSetArtifactArchived } from '../../../artifacts/actions.ts';
import { useRelatedFile } from '../use-related-file.ts';
import { FileLink } from './file-link.tsx';
import { FilePreview } from './file-preview.tsx';
import classes from './related-files-modal.module.css';

interface RelatedFileCardProps {
  file: RelatedFile;
  /** When the file's link came, in milliseconds since the epoch. */
  receivedAt: number;
  /** Whether only files of this kind are shown. */
  inCategory: boolean;
  archived: boolean;
  /** Called once the server has archived the file, or brought it back. */
  onArchived: (archived: boolean) => void;
  /** Shows the file without leaving the page. */
  onOpen: () => void;
}

/** One file that belongs to an answer. */
export function RelatedFileCard(props: RelatedFileCardProps) {
  const { file, receivedAt, inCategory, archived, onArchived, onOpen } = props;
  const signed = useRelatedFile(file, receivedAt);
  const change = useSetArtifactArchived();
  return (
    <Paper
      component="article"
      className={classes.card ?? ''}
      withBorder
      radius={12}
      h="100%"
      aria-label={file.fileName}
    >
      <FilePreview {...signed} file={file} inCategory={inCategory} />
      <hr />
      <Group pl={12} pr={6} py={10} gap={2} wrap="nowrap">
        <FileLink
          artifactId={file.artifactId}
          href={signed.signed.presignedUrl}
          signedAt={signed.signedAt}
          className={classes.words}
        >
          <Text span display="flex" inherit fw={600}>
            <FileName name={file.fileName} />
          </Text>
          <FileFolder path={file.path} />
          <Text span display="block" size="sm" c="dimmed">
            {formatBytes(file.size)}
            {archived && ' · Archived'}
          </Text>
        </FileLink>
        <IconButton
          label={`Show ${file.fileName} here`}
          tooltip="Show here"
          icon={IconEye}
          onClick={onOpen}
        />
        <Menu
          label={`Options for ${file.fileName}`}
          groups={[
            [
              {
                icon: archived ? IconArchiveOff : IconArchive,
                label: 'Archived',
                disabled: change.isPending,
                onClick: () =>
                  change.mutate(
                    {
                      params: {
                        artifactId: file.artifactId,
                        archived: archived ? 'false' : 'true',
                      },
                    },
                    { onSuccess: () => onArchived(!archived) },
                  ),
              },
            ],
          ]}
        />
      </Group>
    </Paper>
  );
}
