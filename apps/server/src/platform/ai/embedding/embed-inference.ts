import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { readModelFolder, type Pooling } from './embed-model-folder.ts';

/** A model that runs in this process. */
export interface Inference {
  /** SHA-256 of all that decides about the vectors, in hex. */
  digest: string;
  dimensions: number;
  /** The vector of one text, of whatever length. */
  embed(text: string, kind: 'query' | 'passage'): Promise<Float32Array>;
}

async function digestOf(file: string, settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/** The tokens' numbers of a text that is as long as the model can read; its last token stays the last. */
function tokensOf(tokenizer: Tokenizer, text: string, most: number): number[] {
  const { ids } = tokenizer.encode(text);
  const last = ids.at(-1);
  return ids.length <= most || last === undefined ? ids : [...ids.slice(0, most - 1), last];
}

/**
 * One vector of a text: the model's own where it makes one, or else pooled from its tokens'. Their
 * sum points where their mean does.
 */
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

const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];

/**
 * Loads the model of a folder. It runs on one thread, so that others keep theirs.
 * @throws ModelFolderError where the folder is not one of a model
 */
export async function loadModel(folder: string): Promise<Inference> {
  const { model, tokenizer, tokenizerConfig, mostTokens, pooling, prompts } =
    await readModelFolder(folder);
  const words = new Tokenizer(tokenizer, tokenizerConfig);
  const digest = await digestOf(model, { tokenizer, mostTokens, pooling, prompts });
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // Otherwise what the longest text took stays taken.
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  const output =
    OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0] ?? '';

  async function embed(text: string, kind: 'query' | 'passage'): Promise<Float32Array> {
    const ids = tokensOf(words, prompts[kind] + text, mostTokens);
    const dims = [1, ids.length];
    const inputs: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(ids.length).fill(1n),
      token_type_ids: new BigInt64Array(ids.length),
    };
    const feeds = session.inputNames.flatMap((name) => {
      const values = inputs[name];
      return values ? [[name, new Tensor('int64', values, dims)] as const] : [];
    });
    const answer = (await session.run(Object.fromEntries(feeds), [output]))[output];
    if (answer === undefined) throw new Error('The model gave no vector.');
    return pool(answer, pooling);
  }

  const probe = await embed('Engram', 'passage');
  if (!probe.every(Number.isFinite)) throw new Error('The model gives no numbers.');
  return { digest, dimensions: probe.length, embed };
}
