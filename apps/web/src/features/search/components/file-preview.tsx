import type { RelatedFile } from '@engram/contract';
import { Button, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { Player } from '../../../components/player.tsx';
import { openFile } from '../../../artifacts/signed-file.ts';
import { categoryOf, previewOf } from '../related-categories.ts';
import type { SignedRelatedFile } from '../use-related-file.ts';
import { FileLink } from './file-link.tsx';
import classes from './related-files-modal.module.css';

interface FilePreviewProps extends SignedRelatedFile {
  file: RelatedFile;
  /** Whether only files of this kind are shown. */
  inCategory: boolean;
}

/** What stands above a file's name: what the file is like, in the way of its kind. */
export function FilePreview(props: FilePreviewProps) {
  const { file, inCategory, signed, signedAt } = props;
  const link = (content: ReactNode) => (
    <FileLink
      artifactId={file.artifactId}
      href={signed.presignedUrl}
      signedAt={signedAt}
      className={classes.open}
      decorative
    >
      {content}
    </FileLink>
  );
  switch (previewOf(file.fileType, inCategory)) {
    case 'player':
      return <Recording {...props} />;
    case 'picture':
      return link(<Picture {...props} />);
    case 'page':
      return link(<FirstPage {...props} />);
    case 'button':
      return <OpenButton file={file} />;
    case 'name':
      return link(
        <span className={classes.stage}>
          <FileTypeIcon fileName={file.fileName} fileType={file.fileType} />
          <Text span size="sm" lineClamp={3} dir="auto" ta="center" td="underline" c="indigo">
            {file.fileName}
          </Text>
        </span>,
      );
    default:
      return link(<Icon file={file} />);
  }
}

function Icon({ file }: { file: RelatedFile }) {
  return (
    <span className={classes.stage}>
      <FileTypeIcon fileName={file.fileName} fileType={file.fileType} />
    </span>
  );
}

/** The picture itself; its small version where there is one. */
function Picture({ file, signed }: FilePreviewProps) {
  // Each new link shows the same picture: the first that works is kept.
  const [src, setSrc] = useState<string | null>(null);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const shown = [src, signed.thumbnailUrl, signed.presignedUrl].find(
    (link) => link !== null && !failed.includes(link),
  );
  if (!shown) return <Icon file={file} />;
  return (
    <img
      className={classes.media}
      data-whole
      src={shown}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={() => setSrc(shown)}
      onError={() => setFailed([...failed, shown])}
    />
  );
}

/** A page as it looks, or the words that it begins with. */
function FirstPage({ file, signed }: FilePreviewProps) {
  const [failed, setFailed] = useState(false);
  const [src, setSrc] = useState(signed.thumbnailUrl);
  if (src === null && signed.thumbnailUrl !== null) setSrc(signed.thumbnailUrl);
  if (src !== null && !failed) {
    return (
      <img
        className={classes.media}
        src={src}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setFailed(true)}
      />
    );
  }
  if (!file.artifact_text) return <Icon file={file} />;
  return (
    <span className={classes.stage}>
      <FileTypeIcon fileName={file.fileName} fileType={file.fileType} />
      <Text span size="xs" lineClamp={4} dir="auto" c="dimmed">
        {file.artifact_text}…
      </Text>
    </span>
  );
}

function OpenButton({ file }: { file: RelatedFile }) {
  return (
    <span className={classes.stage}>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconExternalLink size={16} stroke={1.8} />}
        aria-label={`Open ${file.fileName}`}
        onClick={() => void openFile(file.artifactId)}
      >
        Open file
      </Button>
    </span>
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
        // Twenty recordings that begin to load at once would hold up what is looked at.
        preload={signed.thumbnailUrl || kind === 'audio' ? 'none' : 'metadata'}
        poster={signed.thumbnailUrl ?? undefined}
        renderUnplayed={({ isNetwork, retry }) => (
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
            {isNetwork ? 'It could not be fetched.' : 'Your browser cannot play it.'}
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
