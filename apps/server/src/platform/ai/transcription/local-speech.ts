import { availableParallelism } from 'node:os';
import type { SoundPiece, TranscriptPart } from '@engram/extraction';
import { createMixer, createPieceCutter, SPEECH_RATE } from '@engram/extraction/light';
import sherpa from 'sherpa-onnx-node';
import { inspectSpeechFolder, type SpeechFolder } from './speech-folder.ts';

/** The longest segment for a model, in milliseconds. Whisper accepts 30 s. */
const MAX_SEGMENT_MS = 28_000;
/** A shorter segment for which the model returns no text has no speech, in milliseconds. */
const MIN_SEGMENT_MS = 8000;
const VAD_WINDOW = 512;
const WAV_HEADER = 44;

interface Segment {
  startMs: number;
  samples: Float32Array;
}

/**
 * Loads the speech model in a folder. It blocks its thread, so it runs in a separate process.
 * @throws Error if it is missing or cannot be loaded
 */
export function createLocalSpeech(folder: string) {
  const speech = inspectSpeechFolder(folder);
  if ('missing' in speech) throw new Error(speech.missing);
  const numThreads = Math.max(1, Math.min(4, availableParallelism() - 1));
  const recognizer = load(speech, folder, numThreads);
  const segments =
    speech.vad === null
      ? (samples: Float32Array) => splitAtSilence(samples)
      : createVoiceDetector(speech.vad);

  const recognize = (segment: Segment): TranscriptPart[] => {
    const stream = recognizer.createStream();
    stream.acceptWaveform({ samples: segment.samples, sampleRate: SPEECH_RATE });
    recognizer.decode(stream);
    const text = recognizer.getResult(stream).text.trim();
    const lengthMs = Math.round((segment.samples.length * 1000) / SPEECH_RATE);
    if (text !== '') return [{ startMs: segment.startMs, endMs: segment.startMs + lengthMs, text }];
    // Some models handle only a few seconds, and return no text for more.
    if (lengthMs <= MIN_SEGMENT_MS) return [];
    return [...splitAtSilence(segment.samples, lengthMs / 2)].flatMap((half) =>
      recognize({ startMs: segment.startMs + half.startMs, samples: half.samples }),
    );
  };
  /** Transcribes 16 kHz samples from -1 to 1. */
  const transcribe = (samples: Float32Array): TranscriptPart[] =>
    [...segments(samples)].flatMap(recognize);

  return {
    transcribe,
    transcribePiece: ({ bytes, startMs, endMs }: SoundPiece): TranscriptPart[] =>
      transcribe(samplesOf(bytes)).map((part) => ({
        startMs: Math.min(endMs, startMs + part.startMs),
        endMs: Math.min(endMs, startMs + part.endMs),
        text: part.text,
      })),
  };
}

function load(speech: SpeechFolder, folder: string, numThreads: number) {
  const modelConfig = { ...speech.model, tokens: speech.tokens, numThreads, debug: 0 };
  try {
    return new sherpa.OfflineRecognizer({
      featConfig: { sampleRate: SPEECH_RATE, featureDim: 80 },
      modelConfig: { ...modelConfig, provider: 'cpu' },
    });
  } catch (cause) {
    throw new Error(`The ${speech.name} model in ${folder} cannot be loaded.`, { cause });
  }
}

function samplesOf(wav: Uint8Array): Float32Array {
  const mix = createMixer({ codec: 'pcm-s16', sampleRate: SPEECH_RATE, channels: 1 });
  return mix?.(wav.subarray(WAV_HEADER)) ?? new Float32Array(0);
}

/** Cuts segments at silence, if there is no voice detector. */
function* splitAtSilence(samples: Float32Array, maxMs = MAX_SEGMENT_MS): Generator<Segment> {
  const cutter = createPieceCutter({ maxMs });
  for (const pieces of [cutter.push(samples), cutter.end()]) {
    for (const { startMs, bytes } of pieces) yield { startMs, samples: samplesOf(bytes) };
  }
}

function createVoiceDetector(model: string): (samples: Float32Array) => Generator<Segment> {
  const detector = new sherpa.Vad(
    {
      sileroVad: {
        model,
        threshold: 0.5,
        minSilenceDuration: 0.5,
        minSpeechDuration: 0.25,
        maxSpeechDuration: MAX_SEGMENT_MS / 1000 - 3,
        windowSize: VAD_WINDOW,
      },
      sampleRate: SPEECH_RATE,
      numThreads: 1,
    },
    (2 * MAX_SEGMENT_MS) / 1000,
  );
  function* ready(): Generator<Segment> {
    for (; !detector.isEmpty(); detector.pop()) {
      const { start, samples } = detector.front(false);
      yield { startMs: Math.round((start * 1000) / SPEECH_RATE), samples };
    }
  }
  return function* spoken(samples) {
    detector.reset();
    for (let start = 0; start < samples.length; start += VAD_WINDOW) {
      detector.acceptWaveform(samples.subarray(start, start + VAD_WINDOW));
      yield* ready();
    }
    detector.flush();
    yield* ready();
  };
}
