import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Words that mean the same to the model; whatever stands in no line means nothing to it. */
const MEANINGS = [
  ['car', 'cars', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'medic'],
  ['money', 'cash', 'payment', 'pay'],
  ['house', 'home', 'dwelling'],
  ['repair', 'repaired', 'mend', 'fixed'],
  ['boat', 'ship', 'vessel'],
  ['dog', 'hound', 'puppy'],
  ['begin', 'begins', 'start', 'commence'],
];

/** Of every vector of the model. */
export const DIMENSIONS = MEANINGS.length;

const FLOAT = 1;
const INT64 = 7;

/** The wire format of protocol buffers, as far as a model needs it: https://protobuf.dev/programming-guides/encoding */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number): Buffer =>
  Buffer.from([...varint(field * 8), ...varint(value)]);
function bytes(field: number, value: Buffer | string): Buffer {
  const content = Buffer.from(value);
  return Buffer.concat([
    Buffer.from([...varint(field * 8 + 2), ...varint(content.length)]),
    content,
  ]);
}
const message = (field: number, ...parts: Buffer[]): Buffer => bytes(field, Buffer.concat(parts));

const tensorType = (name: string, type: number, rank: number): Buffer[] => {
  const dimension = message(1, bytes(2, 'any'));
  const shape = message(2, ...Array.from({ length: rank }, () => dimension));
  return [bytes(1, name), message(2, message(1, number(1, type), shape))];
};

/**
 * A model in ONNX's format (onnx.proto3) with a single node: it looks each token's vector up.
 * A stranger's vector is all zeros.
 */
function lookupModel(vectors: Float32Array, tokens: number): Buffer {
  const table = message(
    5,
    number(1, tokens),
    number(1, DIMENSIONS),
    number(2, FLOAT),
    bytes(8, 'vectors'),
    bytes(9, Buffer.from(vectors.buffer)),
  );
  const node = message(
    1,
    bytes(1, 'vectors'),
    bytes(1, 'input_ids'),
    bytes(2, 'last_hidden_state'),
    bytes(4, 'Gather'),
  );
  const graph = message(
    7,
    node,
    bytes(2, 'lookup'),
    table,
    message(11, ...tensorType('input_ids', INT64, 2)),
    message(12, ...tensorType('last_hidden_state', FLOAT, 3)),
  );
  return Buffer.concat([number(1, 8), message(8, number(2, 17)), graph]);
}

function vocabulary() {
  const words = ['[UNK]', ...MEANINGS.flat()];
  const vectors = new Float32Array(words.length * DIMENSIONS);
  for (const [meaning, group] of MEANINGS.entries()) {
    for (const word of group) vectors[words.indexOf(word) * DIMENSIONS + meaning] = 1;
  }
  return { words, vectors };
}

/** The files of a model that knows a few meanings, by their names; `revision` makes it another one. */
export function embeddingModelFiles(revision = 1): Map<string, Buffer> {
  const { words, vectors } = vocabulary();
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
  const config = { model_type: 'bert', max_position_embeddings: 128 + revision };
  return new Map([
    ['config.json', Buffer.from(JSON.stringify(config))],
    ['tokenizer.json', Buffer.from(JSON.stringify(tokenizer))],
    ['tokenizer_config.json', Buffer.from('{}')],
    ['onnx/model.onnx', lookupModel(vectors, words.length)],
  ]);
}

/** Writes the model into a folder. */
export async function writeEmbeddingModel(folder: string, revision = 1): Promise<void> {
  for (const [name, content] of embeddingModelFiles(revision)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** The same model's vector of a text, for a server that has it. */
export function embedText(text: string): number[] {
  const { words, vectors } = vocabulary();
  const sum = Array.from({ length: DIMENSIONS }, () => 0);
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/gu)) {
    const row = Math.max(0, words.indexOf(word)) * DIMENSIONS;
    for (const at of sum.keys()) sum[at] = (sum[at] ?? 0) + (vectors[row + at] ?? 0);
  }
  return sum;
}
