import type { Citation } from '@engram/contract';
import { Box, SegmentedControl, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useDeletions } from '../../../artifacts/deletions.ts';
import { useEvidence, type Viewed } from '../../../artifacts/evidence.ts';
import { useSignedFile, type SignedFile } from '../../../artifacts/signed-file.ts';
import { useFind, type FoundPlace } from '../use-find.ts';
import { viewNames, viewOf } from '../view-of.ts';
import { DocumentView } from './document-view.tsx';
import { FindBar } from './find-bar.tsx';
import { MediaView } from './media-view.tsx';
import { PictureView } from './picture-view.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SlidesView } from './slides-view.tsx';
import { TableView } from './table-view.tsx';
import { TextView } from './text-view.tsx';
import viewerClasses from './viewer.module.css';
import { ViewerHeader } from './viewer-header.tsx';
import { ViewerFailure, ViewerSkeleton } from './viewer-states.tsx';

const PdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));

interface SourceViewerProps {
  viewed: Viewed;
  /** The one of the list that is shown. */
  citation: Citation;
  onNavigate: (n: number) => void;
  onClose: () => void;
}

/** A cited file at the place it was cited from, with the quote marked; or a file at its beginning. */
export function SourceViewer({ citation, ...props }: SourceViewerProps) {
  const file = useSignedFile(citation.artifactId);
  const { docked } = useEvidence();
  const isDeleted = useDeletions().hidden.has(citation.artifactId);
  const { onClose } = props;
  useEffect(() => {
    if (isDeleted) onClose();
  }, [isDeleted, onClose]);
  const find = useFind(citation);
  const opener = useRef<HTMLElement>(null);
  useFindKey(() => {
    if (find.words === null) find.look('');
    else document.querySelector<HTMLElement>('[data-evidence] input[type=search]')?.focus();
  });
  const stopFinding = (): void => {
    find.look(null);
    opener.current?.focus();
  };
  return (
    <>
      <ViewerHeader
        {...props}
        citation={citation}
        file={file.data}
        findRef={opener}
        onFind={() => (find.words === null ? find.look('') : stopFinding())}
      />
      {find.words !== null && <FindBar find={find} onClose={stopFinding} />}
      {!docked && citation.quote !== '' && <PinnedQuote quote={citation.quote} />}
      <Suspense fallback={<ViewerSkeleton />}>
        {file.isPending && <ViewerSkeleton />}
        {file.isError && !file.data && (
          <ViewerFailure
            error={file.error}
            quote={citation.quote}
            onRetry={() => void file.refetch()}
          />
        )}
        {file.data && (
          <SelectionBar citation={citation}>
            <SourceFile citation={citation} found={find.place} file={file} data={file.data} />
          </SelectionBar>
        )}
      </Suspense>
    </>
  );
}

/** The cited sentence, above the file that covers the answer. */
function PinnedQuote({ quote }: { quote: string }) {
  return (
    <Box flex="none" px={18} py={10} bg="var(--eg-mark)">
      <Text component="blockquote" size="sm" lineClamp={3}>
        {quote}
      </Text>
    </Box>
  );
}

/** The browser finds only what is laid out of a long file: within the pane its key finds in all of it. */
function useFindKey(onFind: () => void): void {
  useWindowEvent('keydown', (event) => {
    const isMeant = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (!isMeant || !document.activeElement?.closest('[data-evidence]')) return;
    event.preventDefault();
    onFind();
  });
}

interface SourceFileProps {
  /** What was cited. */
  citation: Citation;
  /** What was found since, and is shown instead. */
  found: FoundPlace | null;
  file: ReturnType<typeof useSignedFile>;
  data: SignedFile;
}

/** Whether places are lines of the file itself: not in a picture's text, nor in an archive. */
const isNumbered = (location: Citation['location']): boolean =>
  'line' in location && !('path' in location);

/** The file itself, or on demand its text, in the way that fits the place. */
function SourceFile({ citation: cited, found, file, data }: SourceFileProps) {
  const citation = found?.citation ?? cited;
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
    if (view === 'page') {
      return <PdfView key={attempt} {...shared} nth={found?.nth ?? 0} />;
    }
    if (view === 'document') return <DocumentView citation={citation} url={data.presignedUrl} />;
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
      <TextView citation={citation} numbered={isNumbered(citation.location)} />
    </>
  );
}
