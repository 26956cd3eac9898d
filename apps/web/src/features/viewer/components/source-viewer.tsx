import type { Citation } from '@engram/contract';
import { SegmentedControl, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconExternalLink, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { FileFolder } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { middleCut } from '../../../format/format.ts';
import { describeInMember, describeLocation } from '../../../artifacts/location.ts';
import type { Viewed } from '../../../artifacts/evidence.ts';
import { useSignedFile, type SignedFile } from '../../../artifacts/signed-file.ts';
import { viewNames, viewOf } from '../view-of.ts';
import { MediaView } from './media-view.tsx';
import { PictureView } from './picture-view.tsx';
import { SlidesView } from './slides-view.tsx';
import classes from './source-viewer.module.css';
import { TableView } from './table-view.tsx';
import { TextView } from './text-view.tsx';
import { ToolButton } from './tool-button.tsx';
import viewerClasses from './viewer.module.css';
import { ViewerFailure, ViewerSkeleton } from './viewer-states.tsx';

const PdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));

interface SourceViewerProps {
  viewed: Viewed;
  /** The one of the list that is shown. */
  citation: Citation;
  onNavigate: (n: number | null) => void;
  onClose: () => void;
}

/** A cited file at the place it was cited from, with the quote marked; or a file at its beginning. */
export function SourceViewer({ citation, ...props }: SourceViewerProps) {
  const file = useSignedFile(citation.artifactId);
  return (
    <>
      <ViewerHeader {...props} citation={citation} file={file.data} />
      <Suspense fallback={<ViewerSkeleton />}>
        {file.isPending && <ViewerSkeleton />}
        {file.isError && !file.data && (
          <ViewerFailure
            error={file.error}
            quote={citation.quote}
            onRetry={() => void file.refetch()}
          />
        )}
        {file.data && <SourceFile citation={citation} file={file} data={file.data} />}
      </Suspense>
    </>
  );
}

interface SourceFileProps {
  citation: Citation;
  file: ReturnType<typeof useSignedFile>;
  data: SignedFile;
}

/** The file itself, or on demand its text, in the way that fits the place. */
function SourceFile({ citation, file, data }: SourceFileProps) {
  const view = viewOf(citation.location, data.fileType);
  const name = viewNames[view];
  const [asText, setAsText] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const modes = name && (
    <SegmentedControl
      size="xs"
      data={[name, 'Text']}
      value={asText ? 'Text' : name}
      onChange={(value) => setAsText(value === 'Text')}
      aria-label="Show as"
    />
  );
  const shared = {
    citation,
    url: data.presignedUrl,
    toolbarStart: modes,
    onRetry: () => void file.refetch().then(() => setAttempt(attempt + 1)),
  };
  const bar = modes && <div className={viewerClasses.toolbar}>{modes}</div>;
  if (!asText) {
    if (view === 'page') return <PdfView key={attempt} {...shared} />;
    if (view === 'picture') return <PictureView key={attempt} {...shared} />;
    if (view === 'slides') return <SlidesView citation={citation} toolbarStart={modes} />;
    if (view === 'video' || view === 'audio') {
      return <MediaView citation={citation} kind={view} file={file} data={data} />;
    }
    if (view === 'table') {
      return (
        <>
          {bar}
          <TableView citation={citation} />
        </>
      );
    }
  }
  return (
    <>
      {bar}
      <TextView citation={citation} fileType={data.fileType} />
    </>
  );
}

interface ViewerHeaderProps extends SourceViewerProps {
  file: SignedFile | undefined;
}

function ViewerHeader(props: ViewerHeaderProps) {
  const { viewed, citation, file, onNavigate, onClose } = props;
  const { list, noun } = viewed;
  const looks = { fileName: citation.fileName, ...(file ? { fileType: file.fileType } : {}) };
  const { location } = citation;
  const member = 'path' in location ? String(location.path) : null;
  const place = describeLocation(location, looks);
  // The member's own path stands below the name.
  const pill = member === null ? place.short : describeInMember(location, member).short;
  const at = list.indexOf(citation);
  const step = (by: number) => list[at + by];
  return (
    <div className={classes.header}>
      {noun === 'source' && (
        <span className={classes.number} aria-hidden="true">
          {citation.n}
        </span>
      )}
      <FileTypeIcon {...looks} />
      <div className={classes.title}>
        <h2 className={classes.name} title={citation.fileName}>
          {middleCut(citation.fileName, 48)}
        </h2>
        {pill && noun !== 'file' && <PlacePill short={pill} spoken={place.spoken} />}
        <FileFolder path={citation.path} />
        {member !== null && <MemberPath path={member} />}
      </div>
      <div className={classes.buttons}>
        {list.length > 1 && (
          <>
            <Step to="Previous" noun={noun} target={step(-1)} onNavigate={onNavigate} />
            <Step to="Next" noun={noun} target={step(1)} onNavigate={onNavigate} />
          </>
        )}
        {file && (
          <Tooltip label="Open file">
            <a
              className={viewerClasses.tool}
              href={file.presignedUrl}
              target="_blank"
              rel="noopener noreferrer"
              aria-label="Open file"
            >
              <IconExternalLink size={18} stroke={1.8} />
            </a>
          </Tooltip>
        )}
        <ToolButton label="Close" icon={IconX} onClick={onClose} />
      </div>
    </div>
  );
}

/** The folders that lead to a member of an archive, and its name. */
function MemberPath({ path }: { path: string }) {
  const steps = path.split('/').filter(Boolean);
  return (
    <ol className={classes.path} aria-label="Within the archive" title={path}>
      {steps.map((step, index) => (
        // The same folder may stand in a path twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{middleCut(step, 32)}</li>
      ))}
    </ol>
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
    <ToolButton
      label={`${to} ${noun}`}
      icon={to === 'Next' ? IconChevronRight : IconChevronLeft}
      disabled={!target}
      onClick={() => target && onNavigate(target.n)}
    />
  );
}
