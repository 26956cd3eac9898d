import type { Citation } from '@engram/contract';
import { Drawer, SegmentedControl, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconExternalLink, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { middleCut } from '../../../lib/format.ts';
import { describeLocation, pageOf } from '../../../lib/location.ts';
import { useSignedFile } from '../api/sign-artifact.ts';
import classes from './source-viewer.module.css';
import { TextView } from './text-view.tsx';
import { ViewerFailure, ViewerSkeleton } from './viewer-states.tsx';

const PdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));

interface SourceViewerProps {
  citations: readonly Citation[];
  /** The number of the citation that is shown; null while the viewer is closed. */
  n: number | null;
  onNavigate: (n: number) => void;
  onClose: () => void;
  /** Called once the viewer has gone from the screen. */
  onClosed?: () => void;
}

/** Opens a cited file at the place it was cited from, with the quote marked. */
export default function SourceViewer(props: SourceViewerProps) {
  const { citations, n, onNavigate, onClose, onClosed } = props;
  const opened = citations.find((candidate) => candidate.n === n);
  // What was shown last stays in the drawer while it slides out.
  const [last, setLast] = useState(opened);
  if (opened && opened !== last) setLast(opened);
  const citation = opened ?? last;
  return (
    <Drawer.Root
      opened={opened !== undefined}
      onClose={onClose}
      {...(onClosed ? { onExitTransitionEnd: onClosed } : {})}
      position="right"
      size={920}
      transitionProps={{ duration: 200 }}
      classNames={{ content: classes.content }}
    >
      <Drawer.Overlay />
      <Drawer.Content
        aria-label={citation ? `Source ${citation.n}: ${citation.fileName}` : 'Source'}
      >
        {citation && (
          // Another citation starts anew: its own place, its own way of showing.
          <Source
            key={citation.n}
            citation={citation}
            citations={citations}
            onNavigate={onNavigate}
            onClose={onClose}
          />
        )}
      </Drawer.Content>
    </Drawer.Root>
  );
}

type SourceProps = Omit<SourceViewerProps, 'n' | 'onClosed'> & { citation: Citation };
type Mode = 'Page' | 'Text';

function Source({ citation, citations, onNavigate, onClose }: SourceProps) {
  const file = useSignedFile(citation.artifactId);
  const page = pageOf(citation.location);
  const paged = page !== null && (file.data?.fileType.includes('pdf') ?? false);
  const [mode, setMode] = useState<Mode>('Page');
  const [attempt, setAttempt] = useState(0);
  const modes = paged && (
    <SegmentedControl
      size="xs"
      data={['Page', 'Text']}
      value={mode}
      onChange={(value) => setMode(value as Mode)}
      aria-label="Show as"
    />
  );
  return (
    <>
      <ViewerHeader
        citation={citation}
        citations={citations}
        link={file.data?.presignedUrl}
        onNavigate={onNavigate}
        onClose={onClose}
      />
      <Suspense fallback={<ViewerSkeleton />}>
        {file.isPending && <ViewerSkeleton />}
        {file.isError && !file.data && (
          <ViewerFailure
            error={file.error}
            quote={citation.quote}
            onRetry={() => void file.refetch()}
          />
        )}
        {file.data &&
          (paged && mode === 'Page' ? (
            <PdfView
              url={file.data.presignedUrl}
              page={page}
              quote={citation.quote}
              toolbarStart={modes}
              key={attempt}
              onRetry={() => void file.refetch().then(() => setAttempt(attempt + 1))}
            />
          ) : (
            <>
              {modes && <div className={classes.toolbar}>{modes}</div>}
              <TextView citation={citation} />
            </>
          ))}
      </Suspense>
    </>
  );
}

interface ViewerHeaderProps extends SourceProps {
  link: string | undefined;
}

function ViewerHeader({ citation, citations, link, onNavigate, onClose }: ViewerHeaderProps) {
  const place = describeLocation(citation.location);
  const at = citations.indexOf(citation);
  const step = (by: number) => citations[at + by];
  return (
    <div className={classes.header}>
      <span className={classes.number} aria-hidden="true">
        {citation.n}
      </span>
      <FileTypeIcon fileName={citation.fileName} />
      <h2 className={classes.name} title={citation.fileName}>
        {middleCut(citation.fileName, 48)}
      </h2>
      {place.short && (
        <span className={classes.pill} title={place.spoken}>
          {place.short}
        </span>
      )}
      <div className={classes.buttons}>
        {citations.length > 1 && (
          <>
            <StepButton label="Previous source" target={step(-1)} onNavigate={onNavigate} />
            <StepButton label="Next source" target={step(1)} onNavigate={onNavigate} />
          </>
        )}
        {link && (
          <Tooltip label="Open file">
            <a
              className={classes.button}
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              aria-label="Open file"
            >
              <IconExternalLink size={18} stroke={1.8} />
            </a>
          </Tooltip>
        )}
        <button type="button" className={classes.button} aria-label="Close" onClick={onClose}>
          <IconX size={18} stroke={1.8} />
        </button>
      </div>
    </div>
  );
}

interface StepButtonProps {
  label: 'Previous source' | 'Next source';
  target: Citation | undefined;
  onNavigate: (n: number) => void;
}

function StepButton({ label, target, onNavigate }: StepButtonProps) {
  const Icon = label === 'Next source' ? IconChevronRight : IconChevronLeft;
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className={classes.button}
        aria-label={label}
        disabled={!target}
        onClick={() => target && onNavigate(target.n)}
      >
        <Icon size={18} stroke={1.8} />
      </button>
    </Tooltip>
  );
}
