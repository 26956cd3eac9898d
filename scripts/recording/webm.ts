/** One encoded picture of a clip. */
export interface EncodedFrame {
  /** Milliseconds from the clip's start. */
  time: number;
  /** Whether it can be shown without the pictures before it. */
  key: boolean;
  data: Uint8Array;
}

interface Clip {
  width: number;
  height: number;
  /** Milliseconds. */
  duration: number;
  frames: readonly EncodedFrame[];
}

/** Names of the elements, as https://www.matroska.org/technical/elements.html has them. */
const ids = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timecodeScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  timecode: 0xe7,
  simpleBlock: 0xa3,
} as const;

const VIDEO_TRACK = 1;
/** Nanoseconds of one unit of time: a millisecond. */
const TIMECODE_SCALE = 1_000_000;
const KEY_FRAME = 0x80;

const bytesOf = (value: number, length: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes.subarray(8 - length);
};

function element(id: number, ...content: Uint8Array[]): Buffer {
  const name = bytesOf(id, Math.ceil(Math.log2(id + 1) / 8));
  const body = Buffer.concat(content);
  // A length in eight bytes, whatever it is, keeps places predictable.
  const size = bytesOf(body.length, 8);
  size[0] = 0x01;
  return Buffer.concat([name, size, body]);
}

const uint = (id: number, value: number): Buffer => element(id, bytesOf(value, 8));
const text = (id: number, value: string): Buffer => element(id, Buffer.from(value));

function float(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
}

const header = (): Buffer =>
  element(
    ids.ebml,
    uint(ids.ebmlVersion, 1),
    uint(ids.ebmlReadVersion, 1),
    uint(ids.ebmlMaxIdLength, 4),
    uint(ids.ebmlMaxSizeLength, 8),
    text(ids.docType, 'webm'),
    uint(ids.docTypeVersion, 4),
    uint(ids.docTypeReadVersion, 2),
  );

const infoOf = ({ duration }: Clip): Buffer =>
  element(
    ids.info,
    uint(ids.timecodeScale, TIMECODE_SCALE),
    float(ids.duration, duration),
    text(ids.muxingApp, 'Engram'),
    text(ids.writingApp, 'Engram'),
  );

const tracksOf = ({ width, height }: Clip): Buffer =>
  element(
    ids.tracks,
    element(
      ids.trackEntry,
      uint(ids.trackNumber, VIDEO_TRACK),
      uint(ids.trackUid, VIDEO_TRACK),
      uint(ids.trackType, 1),
      uint(ids.flagLacing, 0),
      text(ids.codecId, 'V_VP9'),
      element(ids.video, uint(ids.pixelWidth, width), uint(ids.pixelHeight, height)),
    ),
  );

/** A block's time is counted from its cluster's, in two bytes. */
function blockOf({ time, key, data }: EncodedFrame, start: number): Buffer {
  const head = Buffer.alloc(4);
  head[0] = 0x80 + VIDEO_TRACK;
  head.writeInt16BE(time - start, 1);
  head[3] = key ? KEY_FRAME : 0;
  return element(ids.simpleBlock, head, data);
}

interface Cluster {
  start: number;
  bytes: Buffer;
}

/** The frames, from each key frame to the next. */
function clustersOf(frames: readonly EncodedFrame[]): Cluster[] {
  const groups: EncodedFrame[][] = [];
  for (const frame of frames) {
    if (frame.key) groups.push([]);
    groups.at(-1)?.push(frame);
  }
  return groups.map((group) => {
    const start = group[0]?.time ?? 0;
    const blocks = group.map((frame) => blockOf(frame, start));
    return { start, bytes: element(ids.cluster, uint(ids.timecode, start), ...blocks) };
  });
}

/** Where a player finds each cluster; `before` is how many bytes of the segment stand before them. */
function cuesOf(clusters: readonly Cluster[], before: number): Buffer {
  let position = before;
  const points = clusters.map(({ start, bytes }) => {
    const point = element(
      ids.cuePoint,
      uint(ids.cueTime, start),
      element(
        ids.cueTrackPositions,
        uint(ids.cueTrack, VIDEO_TRACK),
        uint(ids.cueClusterPosition, position),
      ),
    );
    position += bytes.length;
    return point;
  });
  return element(ids.cues, ...points);
}

/** A WebM file of VP9 pictures; the first of them must be a key frame. */
export function writeWebm(clip: Clip): Buffer {
  const info = infoOf(clip);
  const tracks = tracksOf(clip);
  const clusters = clustersOf(clip.frames);
  const cuesLength = cuesOf(clusters, 0).length;
  const cues = cuesOf(clusters, info.length + tracks.length + cuesLength);
  const content = [info, tracks, cues, ...clusters.map(({ bytes }) => bytes)];
  return Buffer.concat([header(), element(ids.segment, ...content)]);
}
