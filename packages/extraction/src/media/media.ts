import type { FormatInput } from '../format.ts';
import { type Passage, readRecording, type Recording } from './recording.ts';
import { cleanTranscript, toParagraphs } from './speech.ts';
import type { Extraction, Supplements, TranscriptPart } from '../types.ts';

const SHORTEST_SPEECH_MS = 100;

export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, type, builder, supplements } = input;
  const recording = await readRecording(bytes, type);
  const { durationMs, hasSound, title } = recording;
  const range = { startMs: 0, endMs: durationMs ?? 0 };
  for (const [name, value] of recording.facts) builder.block('list', `${name}: ${value}`, range);
  writeLyrics(input, recording, range);

  const transcript = transcriptOf(supplements);
  const speech =
    transcript !== undefined && 'parts' in transcript
      ? cleanTranscript(transcript.parts, durationMs)
      : [];
  writeChapters(input, recording, speech);

  const audible = hasSound && (durationMs === null || durationMs >= SHORTEST_SPEECH_MS);
  if (transcript === undefined && audible) builder.request({ kind: 'transcript' });
  if (transcript !== undefined && 'missing' in transcript) builder.note(transcript.missing);
  if (!hasSound) builder.note('This video has no sound.');
  if (recording.cut) builder.note('This file is truncated: its end is missing.');
  return builder.finish({ title, durationMs });
}

function transcriptOf({ transcripts = [] }: Supplements) {
  return transcripts.find(({ path }) => path === undefined);
}

function writeLyrics({ builder }: FormatInput, { lyrics }: Recording, range: TimeRange): void {
  for (const words of lyrics) {
    if (typeof words === 'string') builder.block('prose', words, range);
    else builder.block('list', words.text, rangeOf(words, range.endMs));
  }
}

interface TimeRange {
  startMs: number;
  endMs: number;
}

function rangeOf({ startMs, endMs }: Passage, lastMs: number): TimeRange {
  return { startMs, endMs: Math.max(startMs, endMs ?? lastMs) };
}

function writeChapters(
  { builder }: FormatInput,
  { chapters, durationMs }: Recording,
  speech: readonly TranscriptPart[],
): void {
  const paragraphs = toParagraphs(
    speech,
    chapters.map(({ startMs }) => startMs),
  );
  let next = 0;
  for (const { startMs, text, sentences } of paragraphs) {
    for (; (chapters[next]?.startMs ?? Infinity) <= startMs; next += 1) writeHeading(next);
    const ranges = sentences.map(({ start, end, ...location }) => ({ start, end, location }));
    builder.prose(text, ranges);
  }
  for (; next < chapters.length; next += 1) writeHeading(next);

  function writeHeading(index: number): void {
    const chapter = chapters[index];
    if (chapter !== undefined) {
      builder.heading(2, chapter.text, rangeOf(chapter, durationMs ?? chapter.startMs));
    }
  }
}
