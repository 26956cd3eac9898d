import { Box, Center } from '@mantine/core';
import type { Citation, Location } from '@engram/contract';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { artifactWords, useSegmentAt } from '../api.ts';
import {
  onKeys,
  useZoom,
  zoomKeys,
  PageArea,
  Stepper,
  Toolbar,
  ZoomTools,
} from './viewer-tools.tsx';
import { wordBoxesOf, WordBoxes } from './word-boxes.tsx';
import { type ReadFile, ViewerFailure, ViewerNote } from './read-text.tsx';
import classes from './viewer.module.css';

interface PictureViewProps extends ReadFile {
  citation: Citation;
  url: string;
  fileType: string;
  toolbarStart: ReactNode;
  onRetry: () => void;
}

const NO_WORDS: readonly never[] = [];

/** Types that most browsers do not show. The server renders their pages. */
const RENDERED_BY_SERVER: ReadonlySet<string> = new Set(['image/tiff', 'image/heic']);

const pageOf = (location: Location | undefined): number =>
  location && 'page' in location ? Number(location.page) : 1;

function useQuoteBoxes(citation: Citation, place: ReadFile['place'], page: number) {
  const { data = NO_WORDS, isPending } = useQuery(artifactWords(citation.artifactId, page));
  const boxes = useMemo(() => (place ? wordBoxesOf(data, place) : []), [data, place]);
  return { boxes, isPending };
}

export function PictureView(props: PictureViewProps) {
  const { citation, url, fileType, text, place, toolbarStart, onRetry } = props;
  const citedPage = pageOf(citation.location);
  const [page, setPage] = useState(citedPage);
  const { data: last } = useSegmentAt(citation.artifactId, Math.max(0, text.trimEnd().length - 1));
  const pages = pageOf(last?.location);
  const { boxes, isPending } = useQuoteBoxes(citation, place, page);
  const zoom = useZoom();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  // The first link is used, as a newly signed one leads to the same picture.
  const [link] = useState(url);
  const shown = RENDERED_BY_SERVER.has(fileType) ? `${link}?picture=${page}` : link;
  const [failed, setFailed] = useState(false);
  const { ref: sizeRef, width: available } = useElementSize<HTMLElement>();
  const scroller = useRef<HTMLElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const fit = size && available > 0 ? fitWidth(size.width, available) : null;
  const width = fit && fit * zoom.factor;
  const { growTo } = zoom;
  // A line is as high as its tallest box.
  const maxHeight = Math.max(0, ...boxes.map(({ height }) => height));
  const lineHeight = size && fit ? maxHeight * (fit / size.width) * size.height : 0;
  useEffect(() => {
    if (lineHeight > 0) growTo(MIN_LINE_HEIGHT / lineHeight);
  }, [lineHeight, growTo]);
  useEffect(() => {
    if (width === null || boxes.length === 0) return;
    scroller.current?.querySelector('mark')?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [width, boxes]);
  const goTo = (target: number): void => {
    setPage(target);
    // Pages differ in size.
    setSize(null);
  };
  const isMissing = place && page === citedPage && citation.quote !== '' && boxes.length === 0;
  if (failed) {
    return (
      <>
        <Toolbar start={toolbarStart} />
        <ViewerFailure
          error={
            new Error('The picture could not be shown. Choose Text to see its extracted text.')
          }
          quote={citation.quote}
          onRetry={onRetry}
        />
      </>
    );
  }
  return (
    <>
      <Toolbar start={toolbarStart}>
        {pages > 1 && <Stepper noun="page" current={page} total={pages} onGo={goTo} />}
        <ZoomTools zoom={zoom} />
      </Toolbar>
      {!isPending && isMissing && (
        <ViewerNote>
          This describes the picture, but is not written in it: “{citation.quote}”
        </ViewerNote>
      )}
      <PageArea ref={ref} label="Picture" onKeyDown={onKeys(zoomKeys(zoom))}>
        <Center miw="max-content" mih="100%" p={16}>
          <figure
            className={classes.paper}
            style={width && size ? { width, aspectRatio: `${size.width} / ${size.height}` } : {}}
          >
            <Box
              component="img"
              display="block"
              w="100%"
              h="100%"
              opacity={size ? 1 : 0}
              src={shown}
              alt={citation.fileName}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                setSize({ width: naturalWidth, height: naturalHeight })
              }
              onError={() => setFailed(true)}
            />
            {size && boxes.length > 0 && <WordBoxes boxes={boxes} quote={citation.quote} />}
          </figure>
        </Center>
      </PageArea>
    </>
  );
}

const MARGIN = 32;
const MIN_LINE_HEIGHT = 12;

/** Small pictures are slightly enlarged, but not to the window's width. */
const fitWidth = (natural: number, available: number): number =>
  Math.min(Math.max(available - MARGIN, 200), Math.max(natural * 1.5, 320));
