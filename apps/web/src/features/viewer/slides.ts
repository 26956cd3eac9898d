import type { ArtifactSegment } from './api.ts';

/** What the text of a slide's speaker notes stands under. */
const NOTES = 'Notes';

export interface SlidePart extends Pick<ArtifactSegment, 'start' | 'end' | 'kind'> {
  /** Said by the speaker, not shown on the slide. */
  isNote: boolean;
}

export interface Slide {
  /** Counted from 1. */
  number: number;
  parts: SlidePart[];
}

/** The slides that stretches of text belong to, in their order; the notes' own heading is left out. */
export function slidesOf(text: string, segments: readonly ArtifactSegment[]): Slide[] {
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
