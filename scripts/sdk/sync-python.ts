/** The differences between the asynchronous and the synchronous modules of the Python SDK. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^"""(.*)\."""/u, '"""$1. Written by `npm run generate` from the asynchronous module."""'],
  [/programs that await/gu, 'programs that wait'],
  [/^import anyio\.to_thread\n/gmu, ''],
  [/anyio\.to_thread\.run_sync\(([\w.]+)(?:, )?/gu, '$1('],
  [/\bAwaitable, /gu, ''],
  [/Awaitable\[(\w+)\]/gu, '$1'],
  [/\bstr \| str\b/gu, 'str'],
  // In the synchronous client the answer of a stream is a property.
  [/^ {4}async def answer\(/gmu, '    @property\n    def answer('],
  [/`answer\(\)`/gu, '`answer`'],
  [/\basync (?=def|for|with)/gu, ''],
  [/`async with`/gu, '`with`'],
  [/\bawait /gu, ''],
  [/\bAsyncRunner\b/gu, 'SyncRunner'],
  [/\bAsync(?=[A-Z])/gu, ''],
  [/\b_async_(?=\w)/gu, '_'],
  [/\bdefault_async_sleep\b/gu, 'default_sleep'],
  [/\basync_credential\b/gu, 'credential'],
  [/\b__a(?=iter__|enter__|exit__)/gu, '__'],
  [/\ba(?=(?:close|iter_bytes|read)\b)/gu, ''],
];

/** Converts an asynchronous module of the Python SDK to a synchronous one. */
export const synchronous = (source: string): string =>
  RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source);
