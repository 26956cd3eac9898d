import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalSpeech } from '../local-speech.ts';
import { inspectSpeechFolder } from '../speech-folder.ts';
import { createTranscriber } from '../transcription.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'engram-speech-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folderOf(name: string, files: Record<string, string>): string {
  const folder = path.join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}

const empty = (...files: string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [file, '']));

/** The files of each kind of model, from sherpa-onnx's list of pretrained models. */
const layouts: [kind: string, folder: string, files: Record<string, string>, part: string][] = [
  [
    'whisper',
    'whisper-tiny',
    empty(
      'tiny-encoder.onnx',
      'tiny-encoder.int8.onnx',
      'tiny-decoder.int8.onnx',
      'tiny-tokens.txt',
    ),
    'whisper',
  ],
  [
    'moonshine',
    'moonshine-v1',
    empty(
      'preprocess.onnx',
      'encode.int8.onnx',
      'uncached_decode.int8.onnx',
      'cached_decode.int8.onnx',
      'tokens.txt',
    ),
    'moonshine',
  ],
  [
    'moonshine',
    'moonshine-v2',
    empty('encoder_model.ort', 'decoder_model_merged.ort', 'tokens.txt', 'silero_vad.onnx'),
    'moonshine',
  ],
  [
    'transducer',
    'zipformer',
    empty(
      'encoder-epoch-99-avg-1.onnx',
      'decoder-epoch-99-avg-1.onnx',
      'joiner-epoch-99-avg-1.onnx',
      'tokens.txt',
    ),
    'transducer',
  ],
  [
    'SenseVoice',
    'any-name',
    { 'model.int8.onnx': `${'\0'.repeat(2000)}with_itn lang_auto`, 'tokens.txt': '' },
    'senseVoice',
  ],
  ['Paraformer', 'paraformer-en', empty('model.onnx', 'tokens.txt'), 'paraformer'],
  [
    'NeMo CTC',
    'parakeet',
    { 'model.onnx': 'model_type EncDecCTCModelBPE', 'tokens.txt': '' },
    'nemoCtc',
  ],
];

test.each(layouts)('a folder with a %s model is recognized (%s)', (name, folder, files, part) => {
  const speech = inspectSpeechFolder(folderOf(folder, files));
  expect(speech).toMatchObject({ name, model: { [part]: expect.any(Object) } });
  if ('missing' in speech) throw new Error(speech.missing);
  expect(speech.tokens).toMatch(/tokens\.txt$/);
  expect(speech.vad !== null).toBe('silero_vad.onnx' in files);
});

test('the smaller of two model sizes is used', () => {
  const speech = inspectSpeechFolder(path.join(root, 'whisper-tiny'));
  expect(JSON.stringify(speech)).toContain('tiny-encoder.int8.onnx');
});

test('the message says what is missing in a folder', () => {
  const emptyFolder = folderOf('nothing', empty('readme.txt'));
  const bare = folderOf('bare', empty('tiny-encoder.onnx', 'tiny-decoder.onnx'));
  const sentences = [path.join(root, 'absent'), emptyFolder, bare].map((folder) => {
    const speech = inspectSpeechFolder(folder);
    return 'missing' in speech ? speech.missing : '';
  });
  expect(sentences[0]).toContain('cannot be read');
  expect(sentences[1]).toContain('has no supported speech model');
  expect(sentences[2]).toContain('has no tokens.txt');
  expect(() => createLocalSpeech(emptyFolder)).toThrow(sentences[1]);
});

test('a recognized folder transcribes on this machine', () => {
  const folder = path.join(root, 'whisper-tiny');
  const {
    kind,
    folder: used,
    describe,
  } = createTranscriber({ transcription: `local:${folder}` }, { log: { warn: () => undefined } });
  expect({ kind, used }).toEqual({ kind: 'local', used: folder });
  expect(describe()).toEqual({
    on: true,
    detail: 'Speech is transcribed on this machine by a whisper model.',
  });
});
