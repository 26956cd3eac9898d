import type { RelatedFile } from '@engram/contract';
import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconBrain,
  IconExternalLink,
  IconEye,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useStore } from '../../../browser/store.ts';
import { useSetArtifactArchived } from '../../../artifacts/actions.ts';
import { fileView, isDocked, openEvidence, shownEvidence } from '../../../artifacts/evidence.ts';
import { openFile, useSignedFile } from '../../../artifacts/signed-file.ts';
import { SignedLink } from '../../../components/signed-link.tsx';
import { Chip } from '../../../components/buttons.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { Player } from '../../../components/player.tsx';
import { formatBytes } from '../../../format/format.ts';
import { categoryOf, countEach, previewOf, type Category } from '../related-categories.tsx';
import classes from './related-files-modal.module.css';

interface RelatedFilesModalProps {
  question: string;
  files: readonly RelatedFile[];
  /** When the files and their links arrived, in milliseconds since the epoch. */
  receivedAt: number;
  category: Category | 'All';
  onCategory: (category: Category | 'All') => void;
  opened: boolean;
  onClose: () => void;
}

export default function RelatedFilesModal(props: RelatedFilesModalProps) {
  const { question, files, category, onCategory, onClose } = props;
  // Escape closes the sheet above this list first.
  const covered = useStore(shownEvidence, (shown) => shown !== null && !isDocked());
  const tabs = [{ category: 'All' as const, count: files.length }, ...countEach(files)];
  return (
    <Dialog
      opened={props.opened}
      onClose={onClose}
      closeOnEscape={!covered}
      size={880}
      // Its upper edge must not move with the number of files.
      centered={false}
      title={
        <Group component="span" align="flex-start" gap={10} wrap="nowrap">
          <IconBrain color="var(--eg-accent)" size={22} stroke={1.7} aria-hidden="true" />
          <span>{question}</span>
        </Group>
      }
    >
      <Group component="fieldset" gap={8} mb={16} aria-label="Categories">
        {tabs.map((tab) => (
          <Chip
            key={tab.category}
            aria-pressed={tab.category === category}
            {...(tab.count === 0 ? { c: 'var(--eg-ink-3)' } : {})}
            onClick={() => onCategory(tab.category)}
          >
            <Text span inherit fw={650}>
              {tab.count}
            </Text>{' '}
            {tab.category}
          </Chip>
        ))}
      </Group>
      <Cards {...props} />
    </Dialog>
  );
}

function Cards({ files, receivedAt, category, onClose }: RelatedFilesModalProps) {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const shown = files.filter(
    (file) => category === 'All' || categoryOf(file.fileType) === category,
  );
  if (shown.length === 0) {
    return (
      <Text inherit py={40} px={16} c="dimmed" ta="center">
        The answer has no files of this kind.
      </Text>
    );
  }
  return (
    <SimpleGrid component="ul" minColWidth={230} spacing={12}>
      {shown.map((file) => (
        <li key={file.artifactId}>
          <RelatedFileCard
            file={file}
            receivedAt={receivedAt}
            inCategory={category !== 'All'}
            archived={changed.get(file.artifactId) ?? file.artifactArchived}
            onArchived={(archived) =>
              setChanged((previous) => new Map([...previous, [file.artifactId, archived]]))
            }
            onOpen={() => {
              if (isDocked()) onClose();
              openEvidence(fileView(file));
            }}
          />
        </li>
      ))}
    </SimpleGrid>
  );
}

interface RelatedFileCardProps {
  file: RelatedFile;
  receivedAt: number;
  inCategory: boolean;
  archived: boolean;
  onArchived: (archived: boolean) => void;
  onOpen: () => void;
}

function RelatedFileCard(props: RelatedFileCardProps) {
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
        <SignedLink
          href={signed.signed.presignedUrl}
          signedAt={signed.signedAt}
          onExpired={() => void openFile(file.artifactId)}
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
        </SignedLink>
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

interface FilePreviewProps extends SignedRelatedFile {
  file: RelatedFile;
  inCategory: boolean;
}

function FilePreview(props: FilePreviewProps) {
  const { file, inCategory, signed, signedAt } = props;
  const { artifactId, fileName } = file;
  const { thumbnailUrl, presignedUrl } = signed;
  const kind = previewOf(file.fileType, inCategory);
  if (kind === 'player') return <Recording {...props} />;
  if (kind === 'button') {
    return (
      <span className={classes.stage}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconExternalLink size={16} stroke={1.8} />}
          aria-label={`Open ${fileName}`}
          onClick={() => void openFile(artifactId)}
        >
          Open file
        </Button>
      </span>
    );
  }
  const stage = (text?: ReactNode) => (
    <span className={classes.stage}>
      <FileTypeIcon fileName={fileName} fileType={file.fileType} />
      {text}
    </span>
  );
  const beginning = file.artifact_text && (
    <Text span size="xs" lineClamp={4} dir="auto" c="dimmed">
      {file.artifact_text}…
    </Text>
  );
  const name = (
    <Text span size="sm" lineClamp={3} dir="auto" ta="center" td="underline" c="indigo">
      {fileName}
    </Text>
  );
  const previews = {
    picture: <Picture links={[thumbnailUrl, presignedUrl]} whole fallback={stage()} />,
    page: <Picture links={[thumbnailUrl]} fallback={stage(beginning)} />,
    name: stage(name),
    icon: stage(),
  };
  return (
    <SignedLink
      href={presignedUrl}
      signedAt={signedAt}
      onExpired={() => void openFile(artifactId)}
      className={classes.open}
      // The name of the file is the same link.
      aria-hidden="true"
      tabIndex={-1}
    >
      {previews[kind]}
    </SignedLink>
  );
}

interface PictureProps {
  links: readonly (string | null)[];
  whole?: boolean;
  fallback: ReactNode;
}

/** The first picture that loads. It stays, because each new link leads to the same one. */
function Picture({ links, whole, fallback }: PictureProps) {
  const [src, setSrc] = useState<string | null>(null);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const shown = [src, ...links].find((link) => link !== null && !failed.includes(link));
  if (!shown) return fallback;
  return (
    <img
      className={classes.media}
      data-whole={whole}
      src={shown}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={() => setSrc(shown)}
      onError={() => setFailed([...failed, shown])}
    />
  );
}

function Recording({ file, query, signed }: FilePreviewProps) {
  const kind = categoryOf(file.fileType) === 'Videos' ? 'video' : 'audio';
  return (
    <span className={kind === 'audio' ? classes.stage : undefined}>
      <Player
        kind={kind}
        name={file.fileName}
        file={query}
        data={signed}
        className={classes.media}
        // Many recordings that load together would delay everything else.
        preload={signed.thumbnailUrl || kind === 'audio' ? 'none' : 'metadata'}
        poster={signed.thumbnailUrl ?? undefined}
        renderFailure={({ isNetwork, retry }) => (
          <Stack
            component="output"
            mih={132}
            px={12}
            justify="center"
            c="dimmed"
            fz="sm"
            ta="center"
            gap={8}
            align="center"
          >
            {isNetwork ? 'The recording could not be loaded.' : 'Your browser cannot play it.'}
            {isNetwork && (
              <Button variant="default" size="xs" onClick={retry}>
                Try again
              </Button>
            )}
          </Stack>
        )}
      />
    </span>
  );
}

const LINK_LIFETIME_MS = 15 * 60_000;

function useRelatedFile(file: RelatedFile, receivedAt: number) {
  const known = {
    presignedUrl: file.presignedUrl,
    expiresAt: new Date(receivedAt + LINK_LIFETIME_MS).toISOString(),
    fileName: file.fileName,
    fileType: file.fileType,
    size: file.size,
    thumbnailUrl: null,
  };
  const query = useSignedFile(file.artifactId, known);
  return {
    query,
    signed: query.data ?? known,
    signedAt: query.isPlaceholderData || !query.data ? receivedAt : query.dataUpdatedAt,
  };
}

type SignedRelatedFile = ReturnType<typeof useRelatedFile>;
