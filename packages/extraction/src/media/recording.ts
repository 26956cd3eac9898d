import type { MetadataTags } from 'mediabunny';
import { type IAudioMetadata, parseBuffer } from 'music-metadata';
import { ExtractionError } from '../errors.ts';
import type { FileType } from '../types.ts';
import { readAviHead } from './avi.ts';
import { bytesSource } from './byte-source.ts';
import { MATROSKA_TYPES, openContainer } from './container.ts';

export interface Passage {
  startMs: number;
  endMs: number | null;
  text: string;
}

export interface Recording {
  durationMs: number | null;
  hasSound: boolean;
  hasPicture: boolean;
  title: string | null;
  /** Tags with their labels: ['Artist', 'Oscar Wilde']. */
  facts: [name: string, value: string][];
  chapters: Passage[];
  lyrics: (string | Passage)[];
  cut: boolean;
}

const NOTHING: Recording = {
  durationMs: null,
  hasSound: false,
  hasPicture: false,
  title: null,
  facts: [],
  chapters: [],
  lyrics: [],
  cut: false,
};

/** The types of the ISO base media format, which has an index. */
const INDEXED: ReadonlySet<FileType> = new Set(['mp4', 'm4a', 'mov']);

/** Reads the metadata of a recording. Throws {@link ExtractionError} if nothing is readable. */
export async function readRecording(bytes: Uint8Array, type: FileType): Promise<Recording> {
  if (type === 'avi') return readAvi(bytes);
  const tagged = await readTags(bytes, type);
  // mediabunny also reads QuickTime tags and truncated files.
  const known = tagged !== null && (tagged.hasSound || tagged.hasPicture);
  if (known && !INDEXED.has(type)) return tagged;
  const contained = await readContainer(bytes, type);
  const empty = tagged === null || (!known && MATROSKA_TYPES.has(type));
  if (empty && contained === null) throw damaged(type);
  if (tagged === null) return { ...(contained ?? NOTHING), cut: true };
  if (contained === null) return tagged;
  return {
    ...tagged,
    durationMs: tagged.durationMs ?? contained.durationMs,
    title: tagged.title ?? contained.title,
    facts: tagged.facts.length >= contained.facts.length ? tagged.facts : contained.facts,
  };
}

function damaged(type: FileType): ExtractionError {
  const noun = type === 'm4a' ? 'recording' : 'video';
  const sentence = INDEXED.has(type)
    ? `This ${noun} is truncated: its index of sound and pictures is missing.`
    : 'This recording is damaged and could not be read.';
  return new ExtractionError('damaged', sentence);
}

function milliseconds(seconds: number | null | undefined): number | null {
  if (typeof seconds !== 'number' || !(seconds > 0) || seconds > 1e7) return null;
  return Math.round(seconds * 1000);
}

async function readTags(bytes: Uint8Array, type: FileType): Promise<Recording | null> {
  try {
    const ending = type === 'weba' ? 'webm' : type;
    const file = { path: `recording.${ending}`, size: bytes.length };
    const options = { duration: true, skipCovers: true, includeChapters: true };
    const metadata = await parseBuffer(bytes, file, options);
    const { format, common } = metadata;
    const longest = Math.max(
      0,
      ...(format.trackInfo ?? []).map((track) =>
        'duration' in track ? Number(track.duration) : 0,
      ),
    );
    const durationMs = milliseconds(format.duration) ?? milliseconds(longest);
    if (type === 'mp3' && durationMs === null && common.title === undefined) return null;
    return {
      ...NOTHING,
      durationMs,
      hasSound: format.hasAudio === true,
      hasPicture: format.hasVideo === true,
      title: common.title ?? null,
      facts: factsOf(metadata),
      chapters: chaptersOf(metadata),
      lyrics: lyricsOf(metadata),
    };
  } catch {
    return null;
  }
}

const MACHINE_COMMENT = /^(?:iTun|iTunes_|Songs-DB|MusicMatch|cddb)/i;

/** Some programs write comments as custom texts (ID3v2.3, 4.2.2). */
const OWN_COMMENT = /^TXXX:(?:comment|description)$/i;

function factsOf({ common, native }: IAudioMetadata): Recording['facts'] {
  const comments = (common.comment ?? [])
    .filter(({ descriptor }) => !MACHINE_COMMENT.test(descriptor ?? ''))
    .map(({ text }) => text);
  const nativeTags = Object.values(native)
    .flat()
    .flatMap(({ id, value }) => (OWN_COMMENT.test(id) && typeof value === 'string' ? [value] : []));
  const { title, artist, albumartist: albumArtist, album } = common;
  return namedFacts({
    title,
    artist,
    albumArtist,
    album,
    composer: common.composer?.join(', '),
    year: common.year?.toString() ?? common.date,
    genre: common.genre?.join(', '),
    descriptions: common.description,
    comments: [...comments, ...nativeTags],
  });
}

type Texts = readonly (string | undefined)[];

interface Tags extends Partial<
  Record<
    'title' | 'artist' | 'albumArtist' | 'composer' | 'album' | 'year' | 'genre',
    string | undefined
  >
> {
  descriptions?: Texts | undefined;
  comments?: Texts;
}

function namedFacts({ descriptions = [], comments = [], ...tags }: Tags): Recording['facts'] {
  const facts: [string, string | undefined][] = [
    ['Title', tags.title],
    ['Artist', tags.artist],
    ['Album artist', tags.albumArtist === tags.artist ? undefined : tags.albumArtist],
    ['Composer', tags.composer],
    ['Album', tags.album],
    ['Year', tags.year],
    ['Genre', tags.genre],
    ...descriptions.map((text): [string, string | undefined] => ['Description', text]),
    ...comments.map((text): [string, string | undefined] => ['Comment', text]),
  ];
  const seen = new Set<string>();
  return facts.flatMap(([name, value]): Recording['facts'] => {
    const text = value?.trim() ?? '';
    const known = seen.has(`${name} ${text}`);
    seen.add(`${name} ${text}`);
    return text === '' || known ? [] : [[name, text]];
  });
}

const MAX_PASSAGES = 10_000;

function chaptersOf({ format }: IAudioMetadata): Passage[] {
  const starts = (format.chapters ?? []).slice(0, MAX_PASSAGES).flatMap((chapter) => {
    const startMs = Math.round((chapter.start / (chapter.timeScale ?? 1)) * 1000);
    const text = chapter.title?.trim() ?? '';
    return text === '' || !(startMs >= 0) ? [] : [{ startMs, text }];
  });
  starts.sort((a, b) => a.startMs - b.startMs);
  return starts.map(({ startMs, text }, index) => {
    return { startMs, endMs: starts[index + 1]?.startMs ?? null, text };
  });
}

function lyricsOf({ common }: IAudioMetadata): (string | Passage)[] {
  return (common.lyrics ?? []).flatMap(
    ({ text, syncText, timeStampFormat }): Recording['lyrics'] => {
      // ID3v2 4.9: format 2 is milliseconds, format 1 is frames, whose length is not known.
      const timed = timeStampFormat === 2 ? syncText : [];
      if (timed.length === 0) return [text ?? syncText.map((line) => line.text).join('\n')];
      return timed.slice(0, MAX_PASSAGES).map((line, index) => {
        const endMs = timed[index + 1]?.timestamp ?? null;
        return { startMs: line.timestamp ?? 0, endMs, text: line.text };
      });
    },
  );
}

async function readContainer(bytes: Uint8Array, type: FileType): Promise<Recording | null> {
  using input = openContainer(bytesSource(bytes), type);
  try {
    const tracks = await input.getTracks();
    if (tracks.length === 0) return null;
    const tags = await input.getMetadataTags();
    return {
      ...NOTHING,
      // Computing the duration is slow without an index, and does not end for damaged FLAC.
      durationMs: milliseconds(await input.getDurationFromMetadata()),
      hasSound: tracks.some((track) => track.isAudioTrack()),
      hasPicture: tracks.some((track) => track.isVideoTrack()),
      title: tags.title ?? null,
      facts: factsOfTags(tags),
    };
  } catch {
    return null;
  }
}

function factsOfTags(tags: MetadataTags): Recording['facts'] {
  const year = tags.date?.getUTCFullYear();
  return namedFacts({
    ...tags,
    year: year === undefined || Number.isNaN(year) ? undefined : String(year),
    descriptions: [tags.description],
    comments: [tags.comment],
  });
}

async function readAvi(bytes: Uint8Array): Promise<Recording> {
  const head = await readAviHead(bytesSource(bytes));
  if (head === null || head.streams.length === 0 || !head.hasPackets) {
    throw new ExtractionError('damaged', 'This video is truncated: nothing in it can be played.');
  }
  const { info, streams } = head;
  // RIFF 1.0, chapter 2: the INFO list's four-letter names.
  const facts = namedFacts({
    title: info.get('INAM'),
    artist: info.get('IART'),
    album: info.get('IPRD'),
    year: info.get('ICRD'),
    genre: info.get('IGNR'),
    descriptions: [info.get('ISBJ')],
    comments: [info.get('ICMT')],
  });
  return {
    ...NOTHING,
    durationMs: milliseconds((head.durationMs ?? 0) / 1000),
    hasSound: streams.some(({ kind }) => kind === 'auds'),
    hasPicture: streams.some(({ kind }) => kind === 'vids'),
    title: info.get('INAM') ?? null,
    facts,
    cut: head.cut,
  };
}
