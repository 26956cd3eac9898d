export interface OpenAiSettings {
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
}

export const OPENAI = 'https://api.openai.com/v1';

export const OPENAI_MISSING =
  'openai:MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for your own server.';

export function openAiServer({ openaiApiKey: apiKey, openaiBaseUrl }: OpenAiSettings) {
  if (apiKey === undefined && openaiBaseUrl === undefined) return null;
  const baseUrl = openaiBaseUrl ?? OPENAI;
  return { apiKey, baseUrl, host: new URL(baseUrl).host };
}

export const withoutTrailingSlash = (url: string): string => url.replace(/(?<!\/)\/+$/u, '');
