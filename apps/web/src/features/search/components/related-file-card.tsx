import type { RelatedFile } from '@engram/contract';
import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { formatBytes } from '../../../lib/format.ts';
import { useSetArtifactArchived } from '../../../lib/set-artifact-archived.ts';
import { useFileLink } from '../api/sign-artifact.ts';
import { categoryOf } from '../related-categories.ts';
import classes from './related-files-modal.module.css';

interface RelatedFileCardProps {
  file: RelatedFile;
  receivedAt: number;
  /** Whether only files of this kind are shown: pictures are then shown themselves. */
  inCategory: boolean;
}

/** A picture, a player or the file's icon; all but the players open the file in a new tab. */
function Preview({
  file,
  link,
  inCategory,
}: Omit<RelatedFileCardProps, 'receivedAt'> & { link: string }) {
  const category = categoryOf(file.fileType);
  if (category === 'Videos') {
    return (
      // A person's own file has no captions to offer.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video
        className={classes.media}
        src={link}
        controls
        preload="metadata"
        aria-label={file.fileName}
      >
        Your browser does not support the video tag.
      </video>
    );
  }
  if (category === 'Audios') {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <audio
        className={classes.media}
        src={link}
        controls
        preload="none"
        aria-label={file.fileName}
      >
        Your browser does not support the audio tag.
      </audio>
    );
  }
  const showsPicture = inCategory && category === 'Images';
  return (
    <a
      className={classes.open}
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      // The name below is the same link, with words.
      aria-hidden="true"
      tabIndex={-1}
    >
      {showsPicture ? (
        <img className={classes.media} src={link} alt="" loading="lazy" />
      ) : (
        <span className={classes.icon}>
          <FileTypeIcon fileName={file.fileName} fileType={file.fileType} />
        </span>
      )}
    </a>
  );
}

/** One file that belongs to an answer. */
export function RelatedFileCard({ file, receivedAt, inCategory }: RelatedFileCardProps) {
  const link = useFileLink(file, receivedAt);
  const [archived, setArchived] = useState(file.artifactArchived);
  const change = useSetArtifactArchived();
  return (
    <div className={classes.card}>
      <Preview file={file} link={link} inCategory={inCategory} />
      <div className={classes.foot}>
        <a className={classes.words} href={link} target="_blank" rel="noopener noreferrer">
          <span className={classes.fileName}>
            <FileName name={file.fileName} />
          </span>
          <span className={classes.size}>
            {formatBytes(file.size)}
            {archived && ' · Archived'}
          </span>
        </a>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Options for ${file.fileName}`}>
              <IconDots size={17} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={archived ? <IconArchiveOff size={16} /> : <IconArchive size={16} />}
              disabled={change.isPending}
              onClick={() =>
                change.mutate(
                  { artifactId: file.artifactId, archived: !archived },
                  { onSuccess: () => setArchived(!archived) },
                )
              }
            >
              Archived
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </div>
  );
}
