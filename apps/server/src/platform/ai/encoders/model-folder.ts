import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../parse-json.ts';

export type Pooling = 'mean' | 'cls';

/** A folder cannot be used as a model. The message is shown to the user. */
export class ModelFolderError extends Error {
  override readonly name = 'ModelFolderError';
}

/** Possible paths of the model, fastest first. */
export const MODEL_FILES = [
  'onnx/model_quantized.onnx',
  'onnx/model_int8.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'model.onnx',
] as const;

export const SIDE_FILES = {
  required: ['config.json', 'tokenizer.json'],
  optional: [
    'tokenizer_config.json',
    'sentence_bert_config.json',
    'config_sentence_transformers.json',
    '1_Pooling/config.json',
  ],
} as const;

/** More tokens per text are slower without better results. */
const MAX_TOKENS = 512;

const config = z.object({
  _name_or_path: z.string().optional(),
  max_position_embeddings: z.number().int().positive().optional(),
  pad_token_id: z.number().int().nullish(),
  model_type: z.string().optional(),
});
const sentenceConfig = z.object({ max_seq_length: z.number().int().positive().nullish() });
const promptsConfig = z.object({
  prompts: z
    .object({
      query: z.string().optional(),
      passage: z.string().optional(),
      document: z.string().optional(),
    })
    .optional(),
});
const poolingConfig = z.object({ pooling_mode_cls_token: z.boolean().optional() });

/** Model families that use the first token's vector, even if no file says so. */
const USES_FIRST_TOKEN = /bge-|arctic-embed|mxbai-embed|gte-modernbert/iu;

/** In the RoBERTa family, positions begin after the padding token's id. */
const OFFSET_POSITIONS = /roberta/iu;

async function readJson<S extends z.ZodType>(folder: string, name: string, schema: S) {
  const text = await readFile(path.join(folder, name), 'utf8').catch(() => null);
  if (text === null) return null;
  const json = parseJson(text);
  if (json === undefined) {
    throw new ModelFolderError(`${name} in the model's folder is not JSON.`);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    throw new ModelFolderError(`${name} in the model's folder has an unexpected format.`);
  }
  return parsed.data;
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );

async function findModel(folder: string): Promise<string> {
  for (const name of MODEL_FILES) {
    if (await isFile(path.join(folder, name))) return path.join(folder, name);
  }
  throw new ModelFolderError(`The model's folder ${folder} has no onnx/model.onnx.`);
}

export async function readModelFolder(folder: string) {
  const main = await readJson(folder, 'config.json', config);
  if (main === null) throw new ModelFolderError(`The model's folder ${folder} has no config.json.`);
  const tokenizer = await readJson(folder, 'tokenizer.json', z.looseObject({}));
  if (tokenizer === null) {
    throw new ModelFolderError(`The model's folder ${folder} has no tokenizer.json.`);
  }
  const model = await findModel(folder);
  const sentences = await readJson(folder, 'sentence_bert_config.json', sentenceConfig);
  const pooled = await readJson(folder, '1_Pooling/config.json', poolingConfig);
  const { prompts } =
    (await readJson(folder, 'config_sentence_transformers.json', promptsConfig)) ?? {};
  const name = `${main['_name_or_path'] ?? ''} ${path.basename(path.dirname(folder))} ${path.basename(folder)}`;
  const family = promptsOf(name);
  const reserved = OFFSET_POSITIONS.test(main.model_type ?? '') ? (main.pad_token_id ?? 1) + 1 : 0;
  const usesFirstToken = pooled?.pooling_mode_cls_token ?? USES_FIRST_TOKEN.test(name);
  const pooling: Pooling = usesFirstToken ? 'cls' : 'mean';
  return {
    model,
    tokenizer,
    tokenizerConfig: (await readJson(folder, 'tokenizer_config.json', z.looseObject({}))) ?? {},
    maxTokens: Math.min(
      MAX_TOKENS,
      sentences?.max_seq_length ?? MAX_TOKENS,
      (main.max_position_embeddings ?? MAX_TOKENS) - reserved,
    ),
    pooling,
    prompts: {
      query: prompts?.query || family.query,
      passage: prompts?.passage || prompts?.document || family.passage,
    },
  };
}

export interface Prompts {
  query: string;
  passage: string;
}

const none: Prompts = { query: '', passage: '' };
const searching = 'Represent this sentence for searching relevant passages: ';

/** The prompts of model families, from their model cards. The first match is used. */
const FAMILIES: readonly [RegExp, Prompts][] = [
  [
    /e5-(?:(?!e5-).)*instruct/iu,
    {
      query:
        'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
      passage: '',
    },
  ],
  [/(?:^|[/_-])e5(?:[/_:.-]|$)/iu, { query: 'query: ', passage: 'passage: ' }],
  [/bge-(?:(?!bge-).)*-zh/iu, { query: '为这个句子生成表示以用于检索相关文章：', passage: '' }],
  [/bge-(?:micro|small|base|large)/iu, { query: searching, passage: '' }],
  [/arctic-embed(?:2|(?:(?!arctic-embed).)*v2)/iu, { query: 'query: ', passage: '' }],
  [/arctic-embed|mxbai-embed/iu, { query: searching, passage: '' }],
  [/nomic-embed/iu, { query: 'search_query: ', passage: 'search_document: ' }],
  [/embeddinggemma/iu, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
];

export function promptsOf(model: string): Prompts {
  return FAMILIES.find(([family]) => family.test(model))?.[1] ?? none;
}
