import { cleanTranscript, toParagraphs } from '../media/speech.ts';
import type { TextBuilder } from '../text-builder.ts';
import type { Location, TranscriptPart } from '../types.ts';
import { attribute, children, localName, type MarkupNode } from './markup.ts';
import { quoted } from './writer.ts';

/** Who wrote the captions of a saved video, or why it has none. */
export type Captions = 'manual' | 'automatic' | 'missing' | 'unavailable';

const HEADINGS: Partial<Record<string, string>> = {
  manual: 'Captions',
  automatic: 'Automatic captions',
};
const NOTES: Partial<Record<string, string>> = {
  missing: 'This video has no captions, so only its title and description were saved.',
  unavailable:
    'The captions of this video could not be fetched, so only its title and description were saved. Save it again to retry.',
};

/** The attribute of a transcript, and that of a sentence with its start and end in milliseconds. */
const CAPTIONS = 'data-captions';
const TIMES = 'data-ms';
const TIME_RANGE = /^(\d{1,9})-(\d{1,9})$/;

/** 4:12, or 1:04:12. */
const clock = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .slice(11, 19)
    .replace(/^0(?:0:0?)?/, '');

/**
 * The transcript of a saved video as HTML, which {@link writeTranscript} reads. Each paragraph begins
 * with its time, a link to it in the video.
 */
export function transcriptHtml(
  captions: Captions,
  parts: readonly TranscriptPart[],
  addressAt: (seconds: number) => string,
): string {
  const paragraphs = toParagraphs(cleanTranscript(parts, null)).map((paragraph) => {
    const { text, startMs } = paragraph;
    let reached = 0;
    const sentences = paragraph.sentences.map(({ start, end, ...times }) => {
      const gap = text.slice(reached, start);
      reached = end;
      const sentence = quoted(text.slice(start, end));
      return `${gap}<span ${TIMES}="${times.startMs}-${times.endMs}">${sentence}</span>`;
    });
    const address = quoted(addressAt(Math.floor(startMs / 1000)));
    return `<p><a href="${address}">${clock(startMs)}</a> ${sentences.join('')}</p>\n`;
  });
  return `<section ${CAPTIONS}="${captions}">\n${paragraphs.join('')}</section>`;
}

/** Whether an element is the transcript of a saved video. Pages may use the same attribute. */
export const isTranscript = (node: MarkupNode): boolean =>
  localName(node) === 'section' &&
  /^(?:manual|automatic|missing|unavailable)$/.test(attribute(node, CAPTIONS) ?? '');

/** Writes a transcript with the times of its sentences as locations. */
export function writeTranscript(section: MarkupNode, builder: TextBuilder): void {
  const captions = attribute(section, CAPTIONS) ?? '';
  const [heading, note] = [HEADINGS[captions], NOTES[captions]];
  if (note !== undefined) builder.note(note);
  if (heading !== undefined) builder.heading(2, heading);
  for (const paragraph of children(section)) {
    if (localName(paragraph) !== 'p') continue;
    if (builder.full) break;
    let text = '';
    const sentences: { start: number; end: number; location: Location }[] = [];
    for (const node of children(paragraph)) {
      const times = TIME_RANGE.exec(attribute(node, TIMES) ?? '');
      // The link before the first sentence is not part of the text.
      if (times === null && sentences.length === 0) continue;
      const start = text.length;
      text += node.textContent ?? '';
      if (times === null) continue;
      const [startMs, endMs] = [Number(times[1]), Number(times[2])];
      const location = { startMs, endMs: Math.max(startMs, endMs) };
      sentences.push({ start, end: text.length, location });
    }
    builder.html?.enter(paragraph);
    builder.html?.tree(paragraph);
    builder.html?.leave(paragraph);
    const write = (): void => builder.prose(text, sentences);
    if (builder.html === null) write();
    else builder.html.silently(write);
  }
}
