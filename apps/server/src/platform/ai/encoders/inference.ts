import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Encoding, Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelInput, ModelTask } from './encoder-driver.ts';
import { ModelFolderError, type Pooling, type Prompts, readModelFolder } from './model-folder.ts';

/** More threads gain little, and batches are slower because of padding (`npm run bench -- embedding`). */
const THREADS = Math.min(4, availableParallelism());

async function digestOf(file: string, settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/**
 * The tokens of an input and their segments: 0 for a text or a question, 1 for a passage. Longer inputs are
 * cut before the last token.
 */
function tokensOf(tokenizer: Tokenizer, input: ModelInput, prompts: Prompts, maxTokens: number) {
  const [text, pair] =
    'kind' in input ? [prompts[input.kind] + input.text] : [input.question, input.passage];
  // A tokenizer without a template for pairs returns no types.
  const {
    ids,
    token_type_ids: types = ids.map(() => 0),
  }: Partial<Encoding> & Pick<Encoding, 'ids'> = tokenizer.encode(text, {
    text_pair: pair ?? null,
    return_token_type_ids: true,
  });
  const cut = (tokens: number[]): number[] =>
    tokens.length <= maxTokens ? tokens : [...tokens.slice(0, maxTokens - 1), ...tokens.slice(-1)];
  return { ids: cut(ids), types: cut(types) };
}

/** The model's vector of a text, or the sum of its token vectors, which has the direction of the mean. */
function pool({ data, dims }: Tensor, pooling: Pooling): Float32Array {
  const values = data as Float32Array;
  const width = dims.at(-1) ?? 0;
  if (dims.length === 2 || pooling === 'cls') return values.slice(0, width);
  const vector = new Float32Array(width);
  for (let index = 0; index < values.length; index += 1) {
    const dimension = index % width;
    vector[dimension] = (vector[dimension] ?? 0) + (values[index] ?? 0);
  }
  return vector;
}

/**
 * The score of a passage: the only logit, or the difference between the second label ('relevant') and the
 * first.
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
  const { model, tokenizer, tokenizerConfig, maxTokens, pooling, prompts } =
    await readModelFolder(folder);
  const encoder = new Tokenizer(tokenizer, tokenizerConfig);
  const digest = await digestOf(model, { tokenizer, maxTokens, pooling, prompts });
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: THREADS,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // Spinning threads would use the CPU while they wait.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    // Otherwise the memory of the longest text is never freed.
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  const output =
    OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0] ?? '';

  /** The vector of a text, or the score of a passage in an array. Long input is cut off. */
  async function run(input: ModelInput): Promise<Float32Array> {
    const { ids, types } = tokensOf(encoder, input, prompts, maxTokens);
    const inputs: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(ids.length).fill(1n),
      token_type_ids: BigInt64Array.from(types, BigInt),
    };
    const feeds = session.inputNames.flatMap((name) => {
      const values = inputs[name];
      return values ? [[name, new Tensor('int64', values, [1, ids.length])] as const] : [];
    });
    const result = (await session.run(Object.fromEntries(feeds), [output]))[output];
    if (result === undefined) throw new Error('The model returned no output.');
    return task === 'embed' ? pool(result, pooling) : scoreOf(result);
  }

  const probe = await run(
    task === 'embed'
      ? { text: 'Engram', kind: 'passage' }
      : { question: 'Engram', passage: 'Engram' },
  );
  if (!probe.every(Number.isFinite)) throw new Error('The model returned invalid numbers.');
  return { digest, dimensions: probe.length, run };
}
