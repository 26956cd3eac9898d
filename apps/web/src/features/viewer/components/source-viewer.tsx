import { lazyPart } from '../../../components/lazy-part.tsx';
import type { Citation, Location } from '@engram/contract';
import { Box, SegmentedControl, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useDeletions } from '../../../artifacts/deletions.ts';
import { closeEvidence, useDocked, type EvidenceView } from '../../../artifacts/evidence.ts';
import { useSignedFile, type SignedFile } from '../../../artifacts/signed-file.ts';
import { useFind, type Match, FindBar } from './find-bar.tsx';
import { DocumentView } from './document-view.tsx';
import { MediaView } from './media-view.tsx';
import { PictureView } from './picture-view.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SlidesView } from './slides-view.tsx';
import { TableView } from './table-view.tsx';
import { TextView } from './text-view.tsx';
import { Toolbar } from './viewer-tools.tsx';
import { ViewerHeader } from './viewer-header.tsx';
import { ReadSegments, ReadText, ViewerFailure, ViewerSkeleton } from './read-text.tsx';
import { isRendered } from '../../../artifacts/file-types.ts';

export type View =
  'document' | 'page' | 'picture' | 'video' | 'audio' | 'slides' | 'table' | 'text';

/**
 * The view of a file for a location. A member of an archive is shown as a document or as text, because
 * its bytes are not served separately.
 */
export function viewOf(location: Location, fileType: string): View {
  const file = 'path' in location ? { fileName: String(location.path) } : { fileType };
  if ('slide' in location) return 'slides';
  if ('row' in location) return 'table';
  if (isRendered(file)) return 'document';
  if ('path' in location) return 'text';
  if (fileType.includes('pdf')) return 'page' in location ? 'page' : 'text';
  if (fileType.startsWith('image/')) return 'picture';
  if (fileType.startsWith('video/')) return 'video';
  if (fileType.startsWith('audio/')) return 'audio';
  return 'text';
}

const viewNames: Partial<Record<View, string>> = {
  page: 'Page',
  picture: 'Picture',
  slides: 'Slides',
  table: 'Table',
};

const PdfView = lazyPart(() => import('./pdf-view.tsx'), <ViewerSkeleton />);

interface SourceViewerProps {
  viewed: EvidenceView;
  citation: Citation;
}

export function SourceViewer({ viewed, citation }: SourceViewerProps) {
  const file = useSignedFile(citation.artifactId);
  const docked = useDocked();
  const isDeleted = useDeletions().hidden.has(citation.artifactId);
  useEffect(() => {
    if (isDeleted) closeEvidence();
  }, [isDeleted]);
  const find = useFind(citation);
  const opener = useRef<HTMLElement>(null);
  useFindKey(() => {
    if (find.words === null) find.search('');
    else document.querySelector<HTMLElement>('[data-evidence] input[type=search]')?.focus();
  });
  const closeSearch = (): void => {
    find.search(null);
    opener.current?.focus();
  };
  return (
    <>
      <ViewerHeader
        viewed={viewed}
        citation={citation}
        file={file.data}
        findRef={opener}
        onFind={() => (find.words === null ? find.search('') : closeSearch())}
      />
      {find.words !== null && <FindBar find={find} onClose={closeSearch} />}
      {!docked && citation.quote !== '' && <PinnedQuote quote={citation.quote} />}
      {file.isPending && <ViewerSkeleton />}
      {file.isError && !file.data && (
        <ViewerFailure error={file.error} quote={citation.quote} onRetry={file.refetch} />
      )}
      {file.data && (
        <SelectionBar citation={citation}>
          <SourceFile citation={citation} match={find.match} file={file} data={file.data} />
        </SelectionBar>
      )}
    </>
  );
}

const PinnedQuote = ({ quote }: { quote: string }) => (
  <Box flex="none" px={18} py={10} bg="var(--eg-mark)">
    <Text component="blockquote" size="sm" lineClamp={3}>
      {quote}
    </Text>
  </Box>
);

/** The browser's search finds only rendered rows, so its shortcut opens the find bar in the pane. */
function useFindKey(onFind: () => void): void {
  useWindowEvent('keydown', (event) => {
    const isFindKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (!isFindKey || !document.activeElement?.closest('[data-evidence]')) return;
    event.preventDefault();
    onFind();
  });
}

interface SourceFileProps {
  citation: Citation;
  /** A match of the find bar, which is shown instead of the citation. */
  match: Match | null;
  file: ReturnType<typeof useSignedFile>;
  data: SignedFile;
}

const isNumbered = (location: Citation['location']): boolean =>
  'line' in location && !('path' in location);

function SourceFile({ citation: cited, match, file, data }: SourceFileProps) {
  const citation = match?.citation ?? cited;
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
  const shown = name && asText ? 'text' : view;
  if (shown === 'page') return <PdfView key={attempt} {...shared} nth={match?.nth ?? 0} />;
  if (shown === 'video' || shown === 'audio') {
    return <MediaView citation={citation} kind={shown} file={file} data={data} />;
  }
  if (shown === 'slides') {
    return (
      <ReadSegments citation={citation}>
        {(read) => <SlidesView {...read} toolbarStart={modes} />}
      </ReadSegments>
    );
  }
  if (shown === 'table') {
    return (
      <>
        <Toolbar start={modes} />
        <ReadSegments citation={citation}>{(read) => <TableView {...read} />}</ReadSegments>
      </>
    );
  }
  return (
    <>
      {name && asText && <Toolbar start={modes} />}
      <ReadText citation={citation}>
        {(read) => {
          if (shown === 'document') return <DocumentView {...read} {...shared} />;
          if (shown === 'picture') {
            const { fileType } = data;
            return <PictureView key={attempt} {...read} {...shared} fileType={fileType} />;
          }
          return <TextView {...read} numbered={isNumbered(citation.location)} />;
        }}
      </ReadText>
    </>
  );
}

/** The content of the evidence pane. Its state is reset for each citation. */
export default function Evidence({ viewed }: { viewed: EvidenceView }) {
  const { list, n } = viewed;
  const citation = list.find((candidate) => candidate.n === n);
  if (!citation) return null;
  return <SourceViewer key={`${n} ${citation.artifactId}`} viewed={viewed} citation={citation} />;
}
