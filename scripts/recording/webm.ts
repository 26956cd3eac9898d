import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Output,
  WebMOutputFormat,
} from 'mediabunny';

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

/** A WebM file of VP9 pictures; the first of them must be a key frame. */
export async function writeWebm({ width, height, duration, frames }: Clip): Promise<Buffer> {
  const source = new EncodedVideoPacketSource('vp9');
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
  output.addVideoTrack(source);
  await output.start();
  const config = { codec: 'vp09.00.40.08', codedWidth: width, codedHeight: height };
  for (const [at, { time, key, data }] of frames.entries()) {
    const end = frames[at + 1]?.time ?? duration;
    const type = key ? 'key' : 'delta';
    const packet = new EncodedPacket(data, type, time / 1000, (end - time) / 1000);
    await source.add(packet, { decoderConfig: config });
  }
  await output.finalize();
  return Buffer.from(output.target.buffer as ArrayBuffer);
}
