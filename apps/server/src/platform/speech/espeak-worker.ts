import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import runEspeak, { type EspeakModule } from 'espeak-ng';
import { createMp3Encoder } from 'wasm-media-encoders';
import { serveTasks } from '../threads/serve-tasks.ts';
import type { EspeakRequest } from './espeak-speaker.ts';
import { normalizeLoudness } from './loudness.ts';

/** Words per minute and pitch (0 to 99). */
const SPEED = 165;
const PITCH = 45;

/** espeak-ng's sample rate. Its speech loses nothing audible at 48 kbit/s. */
const SAMPLE_RATE = 22_050;
const KILOBITS = 48;
const WAV_HEADER_BYTES = 44;
const MAX_SECONDS = 600;

const ENCODER_BLOCK = 1 << 16;

const compiled = WebAssembly.compile(
  readFileSync(fileURLToPath(import.meta.resolve('espeak-ng')).replace(/\.js$/u, '.wasm')),
);
const encoder = createMp3Encoder();

/** Samples from -1 to 1. The text is passed in a file, so that it cannot be parsed as an option. */
async function speak({ text, voice }: EspeakRequest): Promise<Float32Array> {
  const wasm = await compiled;
  const options = ['-v', voice, '-s', `${SPEED}`, '-p', `${PITCH}`];
  const finished: EspeakModule = await runEspeak({
    arguments: [...options, '-b', '1', '-f', '/text', '-w', '/sound'],
    preRun: [({ FS }) => FS.writeFile('/text', text)],
    instantiateWasm(imports, ready) {
      void WebAssembly.instantiate(wasm, imports).then((instance) => ready(instance, wasm));
      return {};
    },
    print: () => undefined,
    printErr: () => undefined,
  });
  const wav = finished.FS.readFile('/sound');
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const sampleCount = Math.max(0, Math.floor((wav.byteLength - WAV_HEADER_BYTES) / 2));
  const samples = new Float32Array(Math.min(sampleCount, MAX_SECONDS * SAMPLE_RATE));
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt16(WAV_HEADER_BYTES + index * 2, true) / 32_768;
  }
  return samples;
}

/** Copies the parts, because the encoder reuses its buffers. */
async function encode(samples: Float32Array): Promise<Uint8Array<ArrayBuffer>> {
  const mp3 = await encoder;
  mp3.configure({ channels: 1, sampleRate: SAMPLE_RATE, bitrate: KILOBITS });
  const parts: Uint8Array[] = [];
  for (let start = 0; start < samples.length; start += ENCODER_BLOCK) {
    parts.push(mp3.encode([samples.subarray(start, start + ENCODER_BLOCK)]).slice());
  }
  parts.push(mp3.finalize().slice());
  return new Uint8Array(Buffer.concat(parts));
}

serveTasks(async (request: EspeakRequest) => {
  const samples = await speak(request);
  return normalizeLoudness(samples) ? encode(samples) : new Uint8Array();
});
