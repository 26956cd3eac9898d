import type { Citation } from '@engram/contract';
import { Group, Text } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconSearch,
  IconX,
  IconDownload,
  IconExternalLink,
  IconLink,
  IconPencil,
  IconRefresh,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react';
import { Children, type RefObject } from 'react';
import numberClasses from '../../../components/citation-number.module.css';
import { FileFolder } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { shortenMiddle } from '../../../format/format.ts';
import { isRendered } from '../../../artifacts/file-types.ts';
import { describeMemberLocation, describeLocation } from '../../../artifacts/location.ts';
import {
  closeEvidence,
  goToSource,
  useDocked,
  type EvidenceView,
} from '../../../artifacts/evidence.ts';
import type { SignedFile } from '../../../artifacts/signed-file.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import classes from './viewer-header.module.css';
import { getArtifact } from '@engram/contract/browser';
import { useCall } from '../../../api/use-call.ts';
import { askToDelete, editedNote } from '../../../artifacts/dialogs.ts';
import { useSavePage } from '../../../artifacts/save-page.ts';
import { copyText } from '../../../components/notify.ts';
import { Menu } from '../../../components/menu.tsx';

interface ViewerHeaderProps {
  viewed: EvidenceView;
  citation: Citation;
  file: SignedFile | undefined;
  onFind: () => void;
  /** Gets the focus when the find bar closes. */
  findRef: RefObject<HTMLElement | null>;
}

export function ViewerHeader(props: ViewerHeaderProps) {
  const { viewed, citation, file, onFind, findRef } = props;
  const docked = useDocked();
  const { list, noun } = viewed;
  const named = { fileName: citation.fileName, ...(file ? { fileType: file.fileType } : {}) };
  const { location } = citation;
  const member = 'path' in location ? String(location.path) : null;
  const place = describeLocation(location, named);
  // The member's path is below the name, so the pill omits it.
  const pill = member === null ? place.short : describeMemberLocation(location, member).short;
  const shown = member === null ? named : { fileName: member };
  const isTimed = 'startMs' in location;
  const index = list.indexOf(citation);
  const [previous, next] = [list[index - 1], list[index + 1]];
  return (
    <Group component="header" className={classes.header} gap={10} wrap="nowrap">
      {noun === 'source' && (
        <span className={numberClasses.number} data-active aria-hidden="true">
          {citation.n}
        </span>
      )}
      <FileTypeIcon {...named} />
      <Group gap="2px 10px" flex={1} miw={0}>
        <Text
          component="h2"
          fz="md"
          fw={600}
          lh={1.35}
          truncate
          maw="100%"
          title={citation.fileName}
          tabIndex={-1}
          data-autofocus
          data-section-heading
          ref={(heading) => {
            if (!docked) findRef.current = heading;
          }}
        >
          {shortenMiddle(citation.fileName, 48)}
        </Text>
        {pill && noun !== 'file' && (isTimed || !isRendered(shown)) && (
          <PlacePill short={pill} spoken={place.spoken} />
        )}
        <FileFolder path={citation.path} />
        {member !== null && <MemberPath path={member} />}
      </Group>
      <Group gap={2} ml="auto" wrap="nowrap">
        {list.length > 1 && (
          <>
            <IconButton
              label={`Previous ${noun}`}
              icon={IconChevronLeft}
              disabled={!previous}
              onClick={() => previous && goToSource(previous.n)}
            />
            <IconButton
              label={`Next ${noun}`}
              icon={IconChevronRight}
              disabled={!next}
              onClick={() => next && goToSource(next.n)}
            />
          </>
        )}
        {file && docked && (
          <IconButton
            ref={(button) => {
              findRef.current = button;
            }}
            label="Find in this file"
            icon={IconSearch}
            onClick={onFind}
          />
        )}
        {file && <ViewerMenu citation={citation} file={file} {...(docked ? {} : { onFind })} />}
        <IconButton label="Close" icon={IconX} onClick={closeEvidence} />
      </Group>
    </Group>
  );
}

function MemberPath({ path }: { path: string }) {
  const steps = path.split('/').filter(Boolean);
  return (
    <Group
      component="ol"
      className={classes.path}
      gap={0}
      flex="1 1 100%"
      fz="xs"
      c="dimmed"
      aria-label="Within the archive"
      title={path}
    >
      {Children.map(steps, (step) => (
        <li>{shortenMiddle(step, 32)}</li>
      ))}
    </Group>
  );
}

function addressOf({ artifactId, start, end }: Citation): string {
  const place = end > start ? `?from=${start}&to=${end}` : '';
  return `${window.location.origin}/source/${artifactId}${place}`;
}

interface ViewerMenuProps {
  citation: Citation;
  file: SignedFile;
  /** Set on small screens, where the header has no space for its button. */
  onFind?: () => void;
}

function ViewerMenu({ citation, file, onFind }: ViewerMenuProps) {
  const { artifactId } = citation;
  const isText = file.fileType.startsWith('text/');
  const { data: artifact } = useCall(getArtifact, isText ? { params: { artifactId } } : null);
  const webAddress = artifact?.webAddress ?? null;
  const page = useSavePage();
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
            onClick: () => editedNote.set({ artifactId, fileName: file.fileName }),
          },
          webAddress !== null && {
            icon: IconWorld,
            label: 'Original page',
            href: webAddress,
          },
          webAddress !== null && {
            icon: IconRefresh,
            label: 'Save the page again',
            onClick: () => page.mutate({ body: { url: webAddress } }),
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
            label: 'Copy a link to this passage',
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
