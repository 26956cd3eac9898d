import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Encoding, Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelInput, ModelTask } from './encoder-driver.ts';
import { ModelFolderError, type Pooling, type Prompts, readModelFolder } from './model-folder.ts';

/**
 * Threads of a model; more gain little at this size. Inputs are not batched: one text already keeps a
 * core busy, and padding makes a batch slower (`npm run bench -- embedding`).
 */
const THREADS = Math.min(4, availableParallelism());

async function digestOf(file: string, settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/**
 * The tokens of an input and the segment of each: 0 for a text or a question, 1 for a passage. They are
 * cut off at the model's maximum; the last token stays last.
 */
function tokensOf(tokenizer: Tokenizer, input: ModelInput, prompts: Prompts, most: number) {
  const [text, pair] =
    'kind' in input ? [prompts[input.kind] + input.text] : [input.question, input.passage];
  // A tokenizer without a template for pairs gives no types.
  const {
    ids,
    token_type_ids: types = ids.map(() => 0),
  }: Partial<Encoding> & Pick<Encoding, 'ids'> = tokenizer.encode(text, {
    text_pair: pair ?? null,
    return_token_type_ids: true,
  });
  const cut = (all: number[]): number[] =>
    all.length <= most ? all : [...all.slice(0, most - 1), ...all.slice(-1)];
  return { ids: cut(ids), types: cut(types) };
}

/** The model's own vector of a text, or one pooled from its tokens: their sum has the mean's direction. */
function pool({ data, dims }: Tensor, pooling: Pooling): Float32Array {
  const values = data as Float32Array;
  const width = dims.at(-1) ?? 0;
  if (dims.length === 2 || pooling === 'cls') return values.slice(0, width);
  const vector = new Float32Array(width);
  for (let at = 0; at < values.length; at += 1) {
    const dimension = at % width;
    vector[dimension] = (vector[dimension] ?? 0) + (values[at] ?? 0);
  }
  return vector;
}

/**
 * The score of a passage: a classifier's only logit, or how much the second label ('relevant') exceeds
 * the first.
 * @throws ModelFolderError if the model is not a cross-encoder
 */
function scoreOf({ data, dims }: Tensor): Float32Array {
  const [first = 0, second] = data as Float32Array;
  if (dims.length !== 2 || data.length > 2) {
    throw new ModelFolderError(
      'The model is not a reranker: a cross-encoder with one or two scores per passage is needed.',
    );
  }
  return Float32Array.of(second === undefined ? first : second - first);
}

const OUTPUTS = ['logits', 'sentence_embedding', 'last_hidden_state', 'token_embeddings'];

/** @throws ModelFolderError if the folder has no model for the task */
export async function loadEncoder(folder: string, task: ModelTask) {
  const { model, tokenizer, tokenizerConfig, mostTokens, pooling, prompts } =
    await readModelFolder(folder);
  const words = new Tokenizer(tokenizer, tokenizerConfig);
  const digest = await digestOf(model, { tokenizer, mostTokens, pooling, prompts });
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: THREADS,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // Threads that spin while they wait take the processor from the server.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    // Otherwise the memory that the longest text took is never freed.
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  const output =
    OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0] ?? '';

  /** The vector of a text, or the score of a passage as an array of one. Long input is cut off. */
  async function run(input: ModelInput): Promise<Float32Array> {
    const { ids, types } = tokensOf(words, input, prompts, mostTokens);
    const inputs: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(ids.length).fill(1n),
      token_type_ids: BigInt64Array.from(types, BigInt),
    };
    const feeds = session.inputNames.flatMap((name) => {
      const values = inputs[name];
      return values ? [[name, new Tensor('int64', values, [1, ids.length])] as const] : [];
    });
    const answer = (await session.run(Object.fromEntries(feeds), [output]))[output];
    if (answer === undefined) throw new Error('The model gave no output.');
    return task === 'embed' ? pool(answer, pooling) : scoreOf(answer);
  }

  const probe = await run(
    task === 'embed'
      ? { text: 'Engram', kind: 'passage' }
      : { question: 'Engram', passage: 'Engram' },
  );
  if (!probe.every(Number.isFinite)) throw new Error('The model gives no numbers.');
  return { digest, dimensions: probe.length, run };
}
