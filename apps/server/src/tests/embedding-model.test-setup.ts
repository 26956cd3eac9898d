import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Synonyms of the model. Words that are not listed have no meaning to it. */
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

/**
 * The part of the protocol buffers wire format that a model needs:
 * https://protobuf.dev/programming-guides/encoding
 */
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

/** Computes the output from the vectors of the tokens. */
interface Head {
  name: string;
  rank: number;
  node: Buffer | null;
}

const VECTORS: Head = { name: 'last_hidden_state', rank: 3, node: null };

/** The maximum over all tokens in each dimension: ReduceMax over the tokens. */
const LOGITS: Head = {
  name: 'logits',
  rank: 2,
  node: message(
    1,
    bytes(1, 'looked_up'),
    bytes(2, 'logits'),
    bytes(4, 'ReduceMax'),
    message(5, bytes(1, 'axes'), number(8, 1), number(20, 7)),
    message(5, bytes(1, 'keepdims'), number(3, 0), number(20, 2)),
  ),
};

/**
 * A model in ONNX format (onnx.proto3) that looks up the vector of each token. The vector of an
 * unknown token is all zeros. The model fails for tokens without a vector.
 */
function lookupModel(vectors: Float32Array, width: number, head = VECTORS): Buffer {
  const table = message(
    5,
    number(1, vectors.length / width),
    number(1, width),
    number(2, FLOAT),
    bytes(8, 'vectors'),
    bytes(9, Buffer.from(vectors.buffer)),
  );
  const node = message(
    1,
    bytes(1, 'vectors'),
    bytes(1, 'input_ids'),
    bytes(2, head.node ? 'looked_up' : head.name),
    bytes(4, 'Gather'),
  );
  const graph = message(
    7,
    node,
    head.node ?? Buffer.alloc(0),
    bytes(2, 'lookup'),
    table,
    message(11, ...tensorType('input_ids', INT64, 2)),
    message(12, ...tensorType(head.name, FLOAT, head.rank)),
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

function tokenizerOf(words: readonly string[], postProcessor: object | null = null): Buffer {
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: postProcessor,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
  return Buffer.from(JSON.stringify(tokenizer));
}

/** The files, by name, of a model that knows a few synonyms. Another `revision` gives a different model. */
export function embeddingModelFiles(revision = 1): Map<string, Buffer> {
  const { words, vectors } = vocabulary();
  const config = { model_type: 'bert', max_position_embeddings: 128 + revision };
  return new Map([
    ['config.json', Buffer.from(JSON.stringify(config))],
    ['tokenizer.json', tokenizerOf(words)],
    ['tokenizer_config.json', Buffer.from('{}')],
    ['onnx/model.onnx', lookupModel(vectors, DIMENSIONS)],
  ]);
}

/** The word that the reranker prefers, and the one that makes it fail. */
export const PREFERRED = 'marzipan';
export const FAILING = 'krakatoa';

const pair = (...types: [string, number][]) =>
  types.map(([id, type]) =>
    id.length === 1 ? { Sequence: { id, type_id: type } } : { SpecialToken: { id, type_id: type } },
  );

/** The files of a cross-encoder with one or two labels that prefers passages with {@link PREFERRED}. */
export function rerankerFiles(labels: 1 | 2 = 1): Map<string, Buffer> {
  const words = ['[UNK]', '[CLS]', '[SEP]', PREFERRED, FAILING];
  // The last word has no vector.
  const vectors = new Float32Array((words.length - 1) * labels);
  vectors[words.indexOf(PREFERRED) * labels + labels - 1] = 1;
  const template = {
    type: 'TemplateProcessing',
    single: pair(['[CLS]', 0], ['A', 0], ['[SEP]', 0]),
    pair: pair(['[CLS]', 0], ['A', 0], ['[SEP]', 0], ['B', 1], ['[SEP]', 1]),
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [words.indexOf(id)], tokens: [id] }]),
    ),
  };
  return new Map([
    ['config.json', Buffer.from(JSON.stringify({ model_type: 'bert' }))],
    ['tokenizer.json', tokenizerOf(words, template)],
    ['tokenizer_config.json', Buffer.from('{}')],
    ['onnx/model.onnx', lookupModel(vectors, labels, LOGITS)],
  ]);
}

/** Writes a model into a folder. */
export async function writeModel(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<void> {
  for (const [name, content] of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

export const writeEmbeddingModel = (folder: string, revision = 1): Promise<void> =>
  writeModel(folder, embeddingModelFiles(revision));

/** The vector of a text by the same model, for a server that provides it. */
export function embedText(text: string): number[] {
  const { words, vectors } = vocabulary();
  const sum = Array.from({ length: DIMENSIONS }, () => 0);
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/gu)) {
    const row = Math.max(0, words.indexOf(word)) * DIMENSIONS;
    for (const at of sum.keys()) sum[at] = (sum[at] ?? 0) + (vectors[row + at] ?? 0);
  }
  return sum;
}
