import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';

/** A speech model's files, by their names in sherpa-onnx's configuration. */
export interface SpeechFolder {
  name: string;
  model: Record<string, Record<string, string | number>>;
  tokens: string;
  vad: string | null;
}

/** An ONNX file has its metadata in these last bytes. */
const TAIL_BYTES = 1 << 20;

/**
 * Finds the speech model in a folder by the usual names of its files
 * (https://k2-fsa.github.io/sherpa/onnx/pretrained_models). The smaller of two sizes is used.
 * @returns the model, or an error message
 */
export function inspectSpeechFolder(folder: string): SpeechFolder | { missing: string } {
  let files: string[];
  try {
    files = readdirSync(folder).sort();
  } catch {
    return { missing: `ENGRAM_TRANSCRIPTION names the folder ${folder}, which cannot be read.` };
  }
  const find = (pattern: RegExp): string | undefined => {
    const candidates = files.filter((file) => /\.(?:onnx|ort)$/u.test(file) && pattern.test(file));
    const file = candidates.find((name) => name.includes('int8')) ?? candidates[0];
    return file === undefined ? undefined : path.join(folder, file);
  };
  const model = detectModel(find, folder);
  if (model === null) {
    return {
      missing: `The folder ${folder} has no supported speech model (whisper, moonshine, transducer, sense-voice, paraformer or NeMo CTC for sherpa-onnx).`,
    };
  }
  const tokens = files.find((file) => /(?:^|[-_.])tokens\.txt$/u.test(file));
  if (tokens === undefined) {
    return { missing: `The speech model in ${folder} has no tokens.txt.` };
  }
  const vad = find(/silero[-_]?vad/u) ?? null;
  return { ...model, tokens: path.join(folder, tokens), vad };
}

type Find = (pattern: RegExp) => string | undefined;

function detectModel(find: Find, folder: string): Pick<SpeechFolder, 'name' | 'model'> | null {
  const encoder = find(/(?:^|[-_.])encoder/u);
  const decoder = find(/(?:^|[-_.])decoder/u);
  const joiner = find(/(?:^|[-_.])joiner/u);
  if (encoder !== undefined && decoder !== undefined && joiner !== undefined) {
    return { name: 'transducer', model: { transducer: { encoder, decoder, joiner } } };
  }
  const mergedDecoder = find(/decoder_model_merged/u);
  if (encoder !== undefined && mergedDecoder !== undefined) {
    return { name: 'moonshine', model: { moonshine: { encoder, mergedDecoder } } };
  }
  const preprocessor = find(/(?:^|[-_.])preprocess/u);
  const encode = find(/(?:^|[-_.])encode(?:\.|[-_]|$)/u);
  const uncachedDecoder = find(/(?:^|[-_.])uncached_decode/u);
  const cachedDecoder = find(/(?:^|[-_.])cached_decode/u);
  if (preprocessor && encode && uncachedDecoder && cachedDecoder) {
    const moonshine = { preprocessor, encoder: encode, uncachedDecoder, cachedDecoder };
    return { name: 'moonshine', model: { moonshine } };
  }
  if (encoder !== undefined && decoder !== undefined) {
    return { name: 'whisper', model: { whisper: { encoder, decoder, tailPaddings: -1 } } };
  }
  const single = find(/(?:^|[-_.])model(?:\.|[-_]|$)/u);
  return single === undefined ? null : detectSingleFile(single, folder);
}

function detectSingleFile(
  model: string,
  folder: string,
): Pick<SpeechFolder, 'name' | 'model'> | null {
  const metadata = tailOf(model);
  const named = path.basename(path.resolve(folder)).toLowerCase();
  const has = (pattern: RegExp): boolean => pattern.test(metadata) || pattern.test(named);
  if (has(/with_itn|lang_auto|sense[-_]?voice/u)) {
    const senseVoice = { model, language: 'auto', useInverseTextNormalization: 1 };
    return { name: 'SenseVoice', model: { senseVoice } };
  }
  if (has(/neg_mean|paraformer/u)) return { name: 'Paraformer', model: { paraformer: { model } } };
  if (has(/EncDec|nemo/u)) return { name: 'NeMo CTC', model: { nemoCtc: { model } } };
  if (has(/zipformer2?.{0,8}ctc|ctc.{0,8}zipformer/u)) {
    return { name: 'Zipformer CTC', model: { zipformerCtc: { model } } };
  }
  return null;
}

function tailOf(file: string): string {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('latin1');
  } finally {
    closeSync(handle);
  }
}
