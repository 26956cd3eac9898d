import type { Citation } from '@engram/contract';
import { SegmentedControl, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useEvidence, type Viewed } from '../../../artifacts/evidence.ts';
import { useSignedFile, type SignedFile } from '../../../artifacts/signed-file.ts';
import { viewNames, viewOf } from '../view-of.ts';
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
  onNavigate: (n: number | null) => void;
  onClose: () => void;
}

/** A cited file at the place it was cited from, with the quote marked; or a file at its beginning. */
export function SourceViewer({ citation, ...props }: SourceViewerProps) {
  const file = useSignedFile(citation.artifactId);
  const { docked } = useEvidence();
  return (
    <>
      <ViewerHeader {...props} citation={citation} file={file.data} />
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
            <SourceFile citation={citation} file={file} data={file.data} />
          </SelectionBar>
        )}
      </Suspense>
    </>
  );
}

/** The cited sentence, above the file that covers the answer. */
function PinnedQuote({ quote }: { quote: string }) {
  return (
    <Text className={viewerClasses.pinned} component="blockquote" size="sm" lineClamp={3}>
      {quote}
    </Text>
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
