export interface OpenAiSettings {
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
}

export const OPENAI = 'https://api.openai.com/v1';

/** Why there is no model where neither setting is set. */
export const OPENAI_MISSING =
  'openai:MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.';

export function openAiServer({ openaiApiKey: apiKey, openaiBaseUrl }: OpenAiSettings) {
  if (apiKey === undefined && openaiBaseUrl === undefined) return null;
  const baseUrl = openaiBaseUrl ?? OPENAI;
  return { apiKey, baseUrl, host: new URL(baseUrl).host };
}

export const withoutTrailingSlash = (url: string): string => url.replace(/(?<!\/)\/+$/u, '');
