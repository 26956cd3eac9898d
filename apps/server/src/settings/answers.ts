import { z } from 'zod';
import { matching, setting, url } from './setting.ts';

export const answers = {
  llm: setting(
    'ENGRAM_LLM',
    matching(
      /^(?:auto|none|(?:local|openai|anthropic|google|ollama):.+)$/u,
      'must be auto, none, local:NAME, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL',
    ).default('auto'),
    'Model that writes answers: auto (a model on this machine, else a local Ollama), none, local:NAME or local:FILE.gguf, openai:MODEL, anthropic:MODEL, google:MODEL or ollama:MODEL. Without one, answers quote the sections found.',
  ),
  embeddings: setting(
    'ENGRAM_EMBEDDINGS',
    matching(
      /^(?:auto|none|(?:local|openai|ollama):[^\S\n]*\S.*)$/u,
      'must be auto, none, local:MODEL or local:FOLDER, openai:MODEL or ollama:MODEL',
    ).default('auto'),
    'Model that finds passages by meaning in addition to words: auto (a small one, downloaded in the background if its hub can be reached), none, local:MODEL or local:FOLDER, openai:MODEL or ollama:MODEL. Without one, passages are found by words only.',
  ),
  reranker: setting(
    'ENGRAM_RERANKER',
    matching(
      /^(?:none|local:[^\S\n]*\S.*)$/u,
      'must be none, local:FOLDER or local:OWNER/MODEL',
    ).default('none'),
    'Cross-encoder in ONNX format that reorders the best 30 passages of a question: none, local:FOLDER or local:OWNER/MODEL, which is downloaded in the background. If it takes longer than 300 ms or fails, the order of the ranking is kept.',
  ),
  modelHub: setting(
    'HF_ENDPOINT',
    url().default('https://huggingface.co'),
    'Hub from which models are downloaded: the Hugging Face hub or a mirror. HTTPS_PROXY, HTTP_PROXY and NO_PROXY apply to it.',
  ),
  modelsDir: setting(
    'ENGRAM_MODELS_DIR',
    z.string().optional(),
    'Folder for downloaded models. Default: models in the data folder. Without internet access, copy this folder from a machine that has downloaded the models.',
  ),
  speech: setting(
    'ENGRAM_SPEECH',
    matching(/^(?:auto|none|openai:[^\S\n]*\S.*)$/u, 'must be auto, none or openai:MODEL').default(
      'auto',
    ),
    'Voice that reads answers aloud: auto (a voice on this machine), none, openai:MODEL or openai:MODEL/VOICE.',
  ),
  openaiApiKey: setting('OPENAI_API_KEY', z.string().optional(), 'Key for openai:MODEL.'),
  openaiBaseUrl: setting(
    'OPENAI_BASE_URL',
    url().optional(),
    'OpenAI-compatible server for openai:MODEL, such as http://127.0.0.1:8000/v1.',
  ),
  anthropicApiKey: setting('ANTHROPIC_API_KEY', z.string().optional(), 'Key for anthropic:MODEL.'),
  anthropicBaseUrl: setting('ANTHROPIC_BASE_URL', url().optional(), 'Server for anthropic:MODEL.'),
  googleApiKey: setting('GOOGLE_API_KEY', z.string().optional(), 'Key for google:MODEL.'),
  googleBaseUrl: setting(
    'GOOGLE_BASE_URL',
    url().optional(),
    'Server for google:MODEL, such as a gateway, including a path such as /v1beta.',
  ),
  ollamaBaseUrl: setting(
    'OLLAMA_BASE_URL',
    url().default('http://127.0.0.1:11434'),
    'Address of Ollama.',
  ),
} as const;
