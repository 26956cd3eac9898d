import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeEmbeddingModel } from '../../../../tests/embedding-model.test-setup.ts';
import { promptsOf, readModelFolder } from '../model-folder.ts';

describe('prompts of a model', () => {
  test.each([
    ['intfloat/multilingual-e5-small', 'query: ', 'passage: '],
    ['e5-base-v2', 'query: ', 'passage: '],
    ['nomic-embed-text:latest', 'search_query: ', 'search_document: '],
    ['BAAI/bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', ''],
    ['snowflake-arctic-embed2', 'query: ', ''],
    ['bge-m3', '', ''],
    ['all-MiniLM-L6-v2', '', ''],
    ['text-embedding-3-small', '', ''],
  ])('the prompts of %s are known', (model, query, passage) => {
    expect(promptsOf(model)).toEqual({ query, passage });
  });
});

describe('model folders', () => {
  let folder: string;

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'engram-model-')), 'tiny');
    await writeEmbeddingModel(folder);
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  async function put(name: string, content: unknown): Promise<void> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  test('the files of a folder describe its model', async () => {
    expect(await readModelFolder(folder)).toMatchObject({
      model: path.join(folder, 'onnx/model.onnx'),
      maxTokens: 129,
      pooling: 'mean',
      prompts: { query: '', passage: '' },
    });
  });

  test('the files of a model take precedence over its name', async () => {
    await put('config.json', { _name_or_path: 'intfloat/e5-small', max_position_embeddings: 512 });
    await put('onnx/model_quantized.onnx', 'smaller');
    await put('sentence_bert_config.json', { max_seq_length: 64 });
    expect(await readModelFolder(folder)).toMatchObject({
      model: path.join(folder, 'onnx/model_quantized.onnx'),
      maxTokens: 64,
      prompts: { query: 'query: ', passage: 'passage: ' },
    });
    await put('1_Pooling/config.json', { pooling_mode_cls_token: true });
    await put('config_sentence_transformers.json', { prompts: { query: 'Q: ', document: 'D: ' } });
    expect(await readModelFolder(folder)).toMatchObject({
      pooling: 'cls',
      prompts: { query: 'Q: ', passage: 'D: ' },
    });
  });

  test('positions that start later shorten the maximum input', async () => {
    const config = { model_type: 'xlm-roberta', max_position_embeddings: 514, pad_token_id: 1 };
    await put('config.json', config);
    expect((await readModelFolder(folder)).maxTokens).toBe(512);
  });

  test.each([
    ['config.json', '{', 'config.json in the model'],
    ['config.json', { max_position_embeddings: -1 }, 'has an unexpected format'],
    ['tokenizer.json', '[]', 'has an unexpected format'],
  ])('a bad %s is rejected', async (name, content, sentence) => {
    await put(name, content);
    await expect(readModelFolder(folder)).rejects.toThrow(sentence);
  });

  test('a folder without a model is rejected', async () => {
    await rm(path.join(folder, 'onnx'), { recursive: true });
    await expect(readModelFolder(folder)).rejects.toThrow('has no onnx/model.onnx');
  });
});
