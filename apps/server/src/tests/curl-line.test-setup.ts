/** The request of a curl line. */
export interface CurlRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Parts of a multipart form. The value of a file part is a file name. */
  form: { name: string; value: string; isFile: boolean }[];
  output: string | undefined;
}

/** A text with its variables filled in. */
const fill = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$([A-Z_]+)/gu, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`The variable ${name} is not set.`);
    return value;
  });

/**
 * The words of a line as a shell splits them: unquoted, single-quoted, double-quoted with
 * variables, or any of these joined. Other shell syntax is an error.
 */
function wordsOf(line: string, variables: Readonly<Record<string, string>>): string[] {
  const words: string[] = [];
  const pieces =
    /(?<gap>(?:\s|\\\n)+)|'(?<single>[^']*)'|"(?<double>[^"\\`]*)"|(?<bare>[\w./:=@?&%-]+)/uy;
  let word: string | null = null;
  while (pieces.lastIndex < line.length) {
    const at = pieces.lastIndex;
    const { gap, single, double, bare } = pieces.exec(line)?.groups ?? {};
    if (gap !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    const piece = single ?? bare ?? (double === undefined ? undefined : fill(double, variables));
    if (piece === undefined) throw new Error(`This is not a plain curl line: ${line.slice(at)}`);
    word = (word ?? '') + piece;
  }
  return word === null ? words : [...words, word];
}

/** Parses a curl line strictly: unknown options and leftover words are errors. */
export function readCurlLine(
  line: string,
  variables: Readonly<Record<string, string>>,
): CurlRequest {
  const [command, ...words] = wordsOf(line, variables);
  if (command !== 'curl') throw new Error('This is not a curl line.');
  const request: CurlRequest = {
    method: '',
    url: '',
    headers: {},
    body: undefined,
    form: [],
    output: undefined,
  };
  const options: Record<string, (value: string) => void> = {
    '--request': (value) => void (request.method = value),
    '--data': (value) => void (request.body = value),
    '--output': (value) => void (request.output = value),
    '--header'(value) {
      const [name = '', ...rest] = value.split(': ');
      request.headers[name] = rest.join(': ');
    },
    '--form'(value) {
      const [name = '', ...rest] = value.split('=');
      const text = rest.join('=');
      const isFile = text.startsWith('@');
      request.form.push({ name, value: isFile ? text.slice(1) : text, isFile });
    },
  };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const option = options[word];
    const value = words[index + 1];
    if (option && value !== undefined) {
      option(value);
      index += 1;
    } else if (request.url === '' && /^https?:/u.test(word)) request.url = word;
    else throw new Error(`This is not a plain curl line: ${word}`);
  }
  if (request.url === '') throw new Error('The curl line has no address.');
  request.method ||= request.body === undefined && request.form.length === 0 ? 'GET' : 'POST';
  return request;
}
