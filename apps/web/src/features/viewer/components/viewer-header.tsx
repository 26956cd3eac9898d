import type { Citation } from '@engram/contract';
import { Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconSearch, IconX } from '@tabler/icons-react';
import type { RefObject } from 'react';
import numberClasses from '../../../components/citation-number.module.css';
import { FileFolder } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { middleCut } from '../../../format/format.ts';
import { isRendered } from '../../../artifacts/file-types.ts';
import { describeInMember, describeLocation } from '../../../artifacts/location.ts';
import { useEvidence, type Viewed } from '../../../artifacts/evidence.ts';
import type { SignedFile } from '../../../artifacts/signed-file.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import classes from './viewer-header.module.css';
import { ViewerMenu } from './viewer-menu.tsx';

interface ViewerHeaderProps {
  viewed: Viewed;
  /** The one of the list that is shown. */
  citation: Citation;
  /** Undefined until its link is signed. */
  file: SignedFile | undefined;
  onNavigate: (n: number) => void;
  onClose: () => void;
  onFind: () => void;
  /** What takes the focus once nothing is looked for any more. */
  findRef: RefObject<HTMLElement | null>;
}

/** Which file and which place of it is shown, and the way to the others. */
export function ViewerHeader(props: ViewerHeaderProps) {
  const { viewed, citation, file, onNavigate, onClose, onFind, findRef } = props;
  const { docked } = useEvidence();
  const { list, noun } = viewed;
  const looks = { fileName: citation.fileName, ...(file ? { fileType: file.fileType } : {}) };
  const { location } = citation;
  const member = 'path' in location ? String(location.path) : null;
  const place = describeLocation(location, looks);
  // The member's own path stands below the name; a document's lines are not shown as such.
  const pill = member === null ? place.short : describeInMember(location, member).short;
  const at = list.indexOf(citation);
  const step = (by: number) => list[at + by];
  return (
    <Group component="header" className={classes.header} gap={10} wrap="nowrap">
      {noun === 'source' && (
        <span className={numberClasses.number} data-active aria-hidden="true">
          {citation.n}
        </span>
      )}
      <FileTypeIcon {...looks} />
      <Group gap="2px 10px" flex={1} miw={0}>
        <Text
          component="h2"
          fz="md"
          fw={600}
          lh={1.35}
          truncate
          maw="100%"
          title={citation.fileName}
          // Where a sheet begins to be read.
          tabIndex={-1}
          data-autofocus
          data-section-heading
          ref={(heading) => {
            if (!docked) findRef.current = heading;
          }}
        >
          {middleCut(citation.fileName, 48)}
        </Text>
        {pill && noun !== 'file' && !isRendered(member === null ? looks : { fileName: member }) && (
          <PlacePill short={pill} spoken={place.spoken} />
        )}
        <FileFolder path={citation.path} />
        {member !== null && <MemberPath path={member} />}
      </Group>
      <Group gap={2} ml="auto" wrap="nowrap">
        {list.length > 1 && (
          <>
            <Step to="Previous" noun={noun} target={step(-1)} onNavigate={onNavigate} />
            <Step to="Next" noun={noun} target={step(1)} onNavigate={onNavigate} />
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
        <IconButton label="Close" icon={IconX} onClick={onClose} />
      </Group>
    </Group>
  );
}

/** The folders that lead to a member of an archive, and its name. */
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
      {steps.map((step, index) => (
        // The same folder may stand in a path twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{middleCut(step, 32)}</li>
      ))}
    </Group>
  );
}

interface StepProps {
  to: 'Previous' | 'Next';
  noun: Viewed['noun'];
  target: Citation | undefined;
  onNavigate: (n: number) => void;
}

function Step({ to, noun, target, onNavigate }: StepProps) {
  return (
    <IconButton
      label={`${to} ${noun}`}
      icon={to === 'Next' ? IconChevronRight : IconChevronLeft}
      disabled={!target}
      onClick={() => target && onNavigate(target.n)}
    />
  );
}
