import { API_KEY_HEADER } from './limits.ts';
import type { RouteDefinition, RouteExample } from './route.ts';

/** A call in the languages of the documentation. */
export interface ExampleCode {
  curl: string;
  typescript: string;
  python: string;
}

type Example = readonly [route: RouteDefinition, example: RouteExample];

const VARIABLE = /\$([A-Z_]+)/gu;

/** The headers of a call, with variables as `$NAME`. */
function headersOf([route, { body }]: Example): [string, string][] {
  const headers: [string, string][] = [];
  if (route.apiKey) headers.push([API_KEY_HEADER, '$ENGRAM_API_KEY']);
  else if (route.auth !== 'public') headers.push(['Authorization', 'Bearer $ENGRAM_TOKEN']);
  if (body !== undefined && route.kind !== 'upload') {
    headers.push(['Content-Type', 'application/json']);
  }
  return headers;
}

/** The address of a call, with variables as `$NAME`. */
function urlOf([route, { params = {}, query = {} }]: Example): string {
  const value = (text: string): string => (text.startsWith('$') ? text : encodeURIComponent(text));
  const path = route.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => value(params[name] ?? ''));
  const search = Object.entries(query).map(([name, text]) => `${name}=${value(text)}`);
  return `$ENGRAM_URL/v1${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

/** JSON on one line with spaces. */
const json = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/gu, ' ')
    .replaceAll(/([[{]) | ([\]}])/gu, '$1$2');

const answersJson = ({ kind }: RouteDefinition): boolean => kind !== 'file' && kind !== 'text';

function curlOf(call: Example): string {
  const [route, { body, form, params }] = call;
  const method = route.method === 'GET' || form ? '' : `--request ${route.method} `;
  const parts = [`curl ${method}"${urlOf(call)}"`];
  for (const [name, value] of headersOf(call)) parts.push(`--header "${name}: ${value}"`);
  if (body !== undefined) {
    // The shell replaces variables only between double quotes.
    parts.push(`--data '${json(body).replaceAll(VARIABLE, `'"$$$1"'`)}'`);
  }
  for (const [name, value] of Object.entries(form?.fields ?? {})) {
    parts.push(`--form '${name}=${value}'`);
  }
  if (form?.file) parts.push(`--form "${route.filePart ?? 'files'}=@${form.file.name}"`);
  if (route.kind === 'file') parts.push(`--output "${params?.['fileName'] ?? 'answer'}"`);
  return parts.join(' \\\n  ');
}

/** The variables of a call, in the order of their use. */
function variablesOf(call: Example): string[] {
  const [, { body }] = call;
  const texts = [urlOf(call), ...headersOf(call).map(([, value]) => value), json(body ?? '')];
  const names = [...texts.join(' ').matchAll(VARIABLE)].map(([, name = '']) => name);
  return [...new Set(names)];
}

/** A string in TypeScript, a template if it has variables. */
function templateOf(text: string): string {
  if (/^\$[A-Z_]+$/u.test(text)) return text.slice(1);
  return text.includes('$') ? `\`${text.replaceAll(VARIABLE, '${$1}')}\`` : `'${text}'`;
}

const scriptValue = (value: unknown): string =>
  json(value)
    .replaceAll(/"\$([A-Z_]+)"/gu, '$1')
    .replaceAll(/"(\w+)":/gu, '$1:')
    .replaceAll('"', "'")
    .replaceAll(/^\{(.*)\}$/gu, '{ $1 }');

function scriptHeaders(call: Example): string[] {
  const headers = headersOf(call).map(([name, value]) => {
    const key = /^\w+$/u.test(name) ? name : `'${name}'`;
    return `${key}: ${templateOf(value)}`;
  });
  if (headers.length < 2) return headers.map((header) => `  headers: { ${header} },`);
  return ['  headers: {', ...headers.map((header) => `    ${header},`), '  },'];
}

function typescriptOf(call: Example): string {
  const [route, { body, form, params }] = call;
  const lines: string[] = [];
  if (form?.file) lines.push("import { openAsBlob } from 'node:fs';");
  if (route.kind === 'file') lines.push("import { writeFile } from 'node:fs/promises';");
  if (lines.length > 0) lines.push('');
  const variables = variablesOf(call).map((name) =>
    name === 'ENGRAM_URL' ? name : `${name} = ''`,
  );
  lines.push(`const { ${variables.join(', ')} } = process.env;`, '');
  if (form) {
    lines.push('const form = new FormData();');
    for (const [name, value] of Object.entries(form.fields)) {
      lines.push(`form.append('${name}', '${value}');`);
    }
    if (form.file) {
      const { name } = form.file;
      const part = route.filePart ?? 'files';
      lines.push(`form.append('${part}', await openAsBlob('${name}'), '${name}');`);
    }
    lines.push('');
  }
  const options = [
    ...(route.method === 'GET' ? [] : [`  method: '${route.method}',`]),
    ...scriptHeaders(call),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${scriptValue(body)}),`]),
    ...(form ? ['  body: form,'] : []),
  ];
  lines.push(`const response = await fetch(${templateOf(urlOf(call))}, {`, ...options, '});');
  if (answersJson(route)) {
    lines.push(
      'const { message, data } = (await response.json()) as { message: string; data: unknown };',
      'if (!response.ok) throw new Error(message);',
      'console.log(data);',
    );
    return lines.join('\n');
  }
  lines.push('if (!response.ok) throw new Error(await response.text());');
  lines.push(
    route.kind === 'file'
      ? `await writeFile('${params?.['fileName'] ?? 'answer'}', await response.bytes());`
      : 'console.log(await response.text());',
  );
  return lines.join('\n');
}

/** A string in Python, an f-string if it has variables. */
function formatOf(text: string): string {
  const [, only] = /^\$([A-Z_]+)$/u.exec(text) ?? [];
  if (only) return `environ["${only}"]`;
  return text.includes('$') ? `f"${text.replaceAll(VARIABLE, "{environ['$1']}")}"` : `"${text}"`;
}

const pythonValue = (value: unknown): string =>
  json(value)
    .replaceAll(/"\$([A-Z_]+)"/gu, 'environ["$1"]')
    .replaceAll(/\btrue\b/gu, 'True')
    .replaceAll(/\bfalse\b/gu, 'False');

/** Builds a form, for which Python's standard library has no function. */
function pythonForm({ fields, file }: NonNullable<RouteExample['form']>, part: string): string[] {
  const parts = Object.entries(fields).map(
    ([name, value]) => `    ("${name}", None, b'${value}'),`,
  );
  if (file) parts.push(`    ("${part}", "${file.name}", open("${file.name}", "rb").read()),`);
  return [
    'boundary = uuid.uuid4().hex',
    'body = b""',
    'for name, file_name, content in [',
    ...parts,
    ']:',
    '    of_file = f\'; filename="{file_name}"\' if file_name else ""',
    '    body += f\'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"{of_file}\\r\\n\\r\\n\'.encode()',
    '    body += content + b"\\r\\n"',
    'body += f"--{boundary}--\\r\\n".encode()',
    '',
  ];
}

function pythonOf(call: Example): string {
  const [route, { body, form, params }] = call;
  const needsJson = answersJson(route) || body !== undefined;
  const lines = [
    ...(needsJson ? ['import json'] : []),
    ...(form ? ['import uuid'] : []),
    'from os import environ',
    'from urllib.request import Request, urlopen',
    '',
    ...(form ? pythonForm(form, route.filePart ?? 'files') : []),
    'request = Request(',
    `    ${formatOf(urlOf(call))},`,
    ...(route.method === 'GET' ? [] : [`    method="${route.method}",`]),
  ];
  const headers = headersOf(call).map(([name, value]) => [name, formatOf(value)] as const);
  if (form) headers.push(['Content-Type', 'f"multipart/form-data; boundary={boundary}"']);
  const entries = headers.map(([name, value]) => `"${name}": ${value}`);
  if (entries.length === 1) lines.push(`    headers={${entries.join('')}},`);
  if (entries.length > 1) {
    lines.push('    headers={', ...entries.map((entry) => `        ${entry},`), '    },');
  }
  if (body !== undefined) lines.push(`    data=json.dumps(${pythonValue(body)}).encode(),`);
  if (form) lines.push('    data=body,');
  lines.push(')', 'with urlopen(request) as response:');
  if (route.kind === 'file') {
    const name = params?.['fileName'] ?? 'answer';
    lines.push(`    open("${name}", "wb").write(response.read())`);
  } else if (route.kind === 'text') lines.push('    print(response.read().decode())');
  else lines.push('    print(json.load(response)["data"])');
  return lines.join('\n');
}

/** A route's example as a curl command, a TypeScript module and a Python program. */
export const exampleCode = (route: RouteDefinition, example: RouteExample): ExampleCode => ({
  curl: curlOf([route, example]),
  typescript: typescriptOf([route, example]),
  python: pythonOf([route, example]),
});
