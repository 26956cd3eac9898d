import { Box, Center } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { artifactWords } from '../api.ts';
import { onKeys, useZoom, zoomKeys, PageArea, Toolbar, ZoomTools } from './viewer-tools.tsx';
import { wordBoxesOf, WordBoxes } from './word-boxes.tsx';
import { type ReadFile, ViewerFailure, ViewerNote } from './read-text.tsx';
import classes from './viewer.module.css';

interface PictureViewProps extends Pick<ReadFile, 'place'> {
  citation: Citation;
  url: string;
  toolbarStart: ReactNode;
  onRetry: () => void;
}

const NO_WORDS: readonly never[] = [];

function useQuoteBoxes(citation: Citation, place: ReadFile['place']) {
  const { data = NO_WORDS, isPending } = useQuery(artifactWords(citation.artifactId, 1));
  const boxes = useMemo(() => (place ? wordBoxesOf(data, place) : []), [data, place]);
  return { boxes, isPending };
}

export function PictureView({ citation, url, place, toolbarStart, onRetry }: PictureViewProps) {
  const { boxes, isPending } = useQuoteBoxes(citation, place);
  const zoom = useZoom();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  // The first link is used, as a newly signed one leads to the same picture.
  const [shown] = useState(url);
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
        <ZoomTools zoom={zoom} />
      </Toolbar>
      {!isPending && place && citation.quote !== '' && boxes.length === 0 && (
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
