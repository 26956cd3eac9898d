import { Box, Paper, Text } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { overlaps } from '../find-in-text.ts';
import { MarkedText, QuotedRows } from './quoted-rows.tsx';
import type { ReadFile, SegmentedFile } from './read-text.tsx';
import { Stepper, Toolbar } from './viewer-tools.tsx';
import classes from './viewer.module.css';
import type { ArtifactSegment } from '../api.ts';

/** The heading above speaker notes in the extracted text. */
const NOTES = 'Notes';

interface SlidePart extends Pick<ArtifactSegment, 'start' | 'end' | 'kind'> {
  isNote: boolean;
}

interface Slide {
  number: number;
  parts: SlidePart[];
}

function slidesOf(text: string, segments: readonly ArtifactSegment[]): Slide[] {
  const slides: Slide[] = [];
  for (const { start, end, kind, headings, location } of segments) {
    const number = 'slide' in location ? Number(location.slide) : null;
    if (number === null) continue;
    let slide = slides.at(-1);
    if (slide?.number !== number) slides.push((slide = { number, parts: [] }));
    if (kind === 'heading' && text.slice(start, end) === NOTES) continue;
    slide.parts.push({ start, end, kind, isNote: headings.at(-1) === NOTES });
  }
  return slides;
}

const SLIDE_HEIGHT = 220;

interface SlidesViewProps extends SegmentedFile {
  toolbarStart: ReactNode;
}

const isQuoted = ({ parts }: Slide, place: ReadFile['place']): boolean =>
  place !== null && parts.some(({ start, end }) => overlaps([start, end], place));

export function SlidesView({ text, place, segments, toolbarStart }: SlidesViewProps) {
  const slides = useMemo(() => slidesOf(text, segments), [text, segments]);
  const quoteRow = useMemo(
    () => slides.findIndex((slide) => isQuoted(slide, place)),
    [slides, place],
  );
  return (
    <QuotedRows
      kind="list"
      label="Slides of the file"
      count={slides.length}
      quoteRow={quoteRow}
      align="start"
      rowHeight={SLIDE_HEIGHT}
      className={`${classes.column} ${classes.slides}`}
      renderRow={(index) => {
        const slide = slides[index];
        return slide && <SlideCard slide={slide} text={text} place={place} />;
      }}
      renderToolbar={({ current, goTo }) => (
        <Toolbar start={toolbarStart}>
          <Stepper
            noun="slide"
            current={current + 1}
            total={slides.length}
            onGo={(to) => goTo(to - 1)}
          />
        </Toolbar>
      )}
    />
  );
}

function SlideCard({ slide, text, place }: ReadFile & { slide: Slide }) {
  const shown = slide.parts.filter(({ isNote }) => !isNote);
  const notes = slide.parts.filter(({ isNote }) => isNote);
  const part = ({ start, end, kind }: Slide['parts'][number]) => (
    <p key={start} className={`${classes.part} ${classes.words}`} data-kind={kind}>
      <MarkedText text={text} start={start} end={end} quote={place} />
    </p>
  );
  return (
    <Paper
      component="article"
      className={classes.slide ?? ''}
      withBorder
      radius={12}
      p={18}
      data-quoted={isQuoted(slide, place) || undefined}
      aria-label={`Slide ${slide.number}`}
    >
      <Text size="xs" fw={600} c="dimmed">
        Slide {slide.number}
      </Text>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          There is no text on this slide.
        </Text>
      )}
      {shown.map(part)}
      {notes.length > 0 && (
        <Box
          component="section"
          mt={14}
          px={14}
          py={10}
          bdrs={10}
          bg="var(--eg-surface-hover)"
          aria-label="Speaker notes"
        >
          <Text size="xs" fw={600} c="dimmed" aria-hidden="true">
            Speaker notes
          </Text>
          {notes.map(part)}
        </Box>
      )}
    </Paper>
  );
}
