import { Box, Center, Group } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { artifactWords } from '../api.ts';
import { onKeys, useZoom, zoomKeys } from '../use-zoom.ts';
import { boxesOf } from '../word-boxes.ts';
import { Desk } from './desk.tsx';
import { ReadText, type ReadFile } from './read-text.tsx';
import { ZoomTools } from './viewer-tools.tsx';
import classes from './viewer.module.css';
import { ViewerFailure, ViewerNote } from './viewer-states.tsx';
import { WordBoxes } from './word-boxes.tsx';

interface PictureViewProps {
  citation: Citation;
  /** A signed link to the bytes. */
  url: string;
  toolbarStart: ReactNode;
  /** Called to get a new link after the picture could not be loaded by this one. */
  onRetry: () => void;
}

const NO_WORDS: readonly never[] = [];

/** A picture with the words of the quote marked on it. */
export function PictureView({ citation, ...props }: PictureViewProps) {
  return (
    <ReadText citation={citation}>
      {({ place }) => <Picture {...props} citation={citation} place={place} />}
    </ReadText>
  );
}

/** The boxes of the quote; null when it is no part of what was recognised in the picture. */
function useQuoteBoxes(citation: Citation, place: ReadFile['place']) {
  const { data = NO_WORDS, isPending } = useQuery(artifactWords(citation.artifactId, 1));
  const boxes = useMemo(() => (place ? boxesOf(data, place) : []), [data, place]);
  return { boxes, isPending };
}

function Picture(props: PictureViewProps & Pick<ReadFile, 'place'>) {
  const { citation, url, place, toolbarStart, onRetry } = props;
  const { boxes, isPending } = useQuoteBoxes(citation, place);
  const zoom = useZoom();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  // A link that is signed anew shows the same picture: it need not be fetched again.
  const [shown] = useState(url);
  const [failed, setFailed] = useState(false);
  const { ref: sizeRef, width: room } = useElementSize<HTMLElement>();
  const scroller = useRef<HTMLElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const fit = size && room > 0 ? fitWidth(size.width, room) : null;
  const width = fit && fit * zoom.factor;
  const { growTo } = zoom;
  // The highest of the boxes: a single digit says little about how large its line is.
  const highest = Math.max(0, ...boxes.map(({ height }) => height));
  const lineHeight = size && fit ? highest * (fit / size.width) * size.height : 0;
  useEffect(() => {
    if (lineHeight > 0) growTo(READABLE / lineHeight);
  }, [lineHeight, growTo]);
  useEffect(() => {
    if (width === null || boxes.length === 0) return;
    scroller.current?.querySelector('mark')?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [width, boxes]);
  if (failed) {
    return (
      <>
        <div className={classes.toolbar}>{toolbarStart}</div>
        <ViewerFailure
          error={
            new Error('The picture could not be shown. Choose Text to see what was read of it.')
          }
          quote={citation.quote}
          onRetry={onRetry}
        />
      </>
    );
  }
  return (
    <>
      <div className={classes.toolbar}>
        {toolbarStart}
        <Group ml="auto" gap={0} wrap="nowrap">
          <ZoomTools zoom={zoom} />
        </Group>
      </div>
      {!isPending && place && citation.quote !== '' && boxes.length === 0 && (
        <ViewerNote>
          This is known about the picture, but not written in it: “{citation.quote}”
        </ViewerNote>
      )}
      <Desk ref={ref} label="Picture" onKeyDown={onKeys(zoomKeys(zoom))}>
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
      </Desk>
    </>
  );
}

/** Pixels around the picture. */
const MARGIN = 32;
/** Pixels that a marked line is high at least when the picture opens. */
const READABLE = 12;

/** A small picture is not blown up to the window's width, but a little, to be read. */
const fitWidth = (natural: number, room: number): number =>
  Math.min(Math.max(room - MARGIN, 200), Math.max(natural * 1.5, 320));
