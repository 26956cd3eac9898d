import {
  type Call,
  type Field,
  generatedMethods,
  isFlag,
  type Method,
  nameOf,
  pascal,
  type Schema,
  type Sdk,
} from './calls.ts';
import { responseShape, checkedFields } from './shapes.ts';

const SCALARS: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The type of a response, or of a parameter if `isParameter` is set. */
function typeOf(schema: Schema, isParameter: boolean): string {
  const { $ref, anyOf, items, prefixItems, properties, additionalProperties, format } = schema;
  if ($ref) return nameOf($ref);
  if (anyOf) {
    return [...new Set(anyOf.flatMap((option) => typeOf(option, isParameter).split(' | ')))].join(
      ' | ',
    );
  }
  if (isFlag(schema)) return 'boolean';
  if (schema.enum) {
    const values = schema.enum.map((word) => `'${word}'`).join(' | ');
    // A newer server may return values that this version does not know.
    return isParameter ? values : `${values} | (string & {})`;
  }
  // The SDK also accepts an object with the ID.
  if (format === 'uuid') return isParameter ? 'Ref' : 'string';
  if (format === 'date-time') return isParameter ? 'Date | string' : 'Date';
  if (prefixItems)
    return `[${prefixItems.map((prefixItem) => typeOf(prefixItem, isParameter)).join(', ')}]`;
  if (items) {
    const inner = typeOf(items, isParameter);
    if (isParameter) return `Iterable<${inner}>`;
    return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`;
  }
  if (properties) return `{ ${membersOf(schema, isParameter).join(' ')} }`;
  if (typeof additionalProperties === 'object') {
    return `Record<string, ${typeOf(additionalProperties, isParameter)}>`;
  }
  return SCALARS[schema.type ?? ''] ?? 'unknown';
}

const docOf = (text: string | undefined): string =>
  text ? `/** ${text.replace(/\.?$/u, '.')} */\n` : '';

const memberOf = (name: string, schema: Schema, required: boolean, isParameter: boolean): string =>
  `${docOf(schema.description)}${name}${required ? '' : '?'}: ${typeOf(schema, isParameter)}${isParameter && !required ? ' | undefined' : ''};`;

const membersOf = ({ properties = {}, required = [] }: Schema, isParameter: boolean): string[] =>
  Object.entries(properties).map(([name, schema]) =>
    memberOf(name, schema, required.includes(name), isParameter),
  );

/** Members that the SDK derives. */
const DERIVED: Record<string, string> = {
  Answer:
    '/** The answer in Markdown. `[1]` refers to the citation whose `n` is 1. */\ntext: string;',
  HistoryEntry: '/** The answer in Markdown. */\ntext: string;',
  File: '/** Whether processing has finished or failed. */\nsettled: boolean;',
};

const optionsName = ({ group, name }: Method): string => `${pascal(group)}${pascal(name)}Options`;

const answerType = ({ kind, answer }: Call): string => {
  if (kind === 'text') return 'string';
  if (kind === 'file') return 'Response';
  return answer ? typeOf(answer, false) : 'void';
};

function specOf(call: Call, models: Sdk['models']): string {
  const spec = {
    id: call.id,
    method: call.method,
    path: call.path,
    kind: call.kind === 'list' ? 'json' : call.kind,
    ...(call.notRepeatable ? { notRepeatable: true } : {}),
    fields: checkedFields(call, models),
    ...(call.answer ? { answer: responseShape(call.answer) } : {}),
  };
  return `// prettier-ignore
export const ${call.name}: Spec<${answerType(call)}> = ${withPatterns(JSON.stringify(spec))};`;
}

/** JSON with regular expression literals, which the checks can find. */
const withPatterns = (json: string): string =>
  json.replaceAll(/"pattern":("(?:[^"\\]|\\.)*")/gu, (_, pattern: string) => {
    const source = new RegExp(JSON.parse(pattern) as string, 'u');
    return `"pattern":${String(source)}`;
  });

const parameter = ({ name, schema }: Field): string => `${name}: ${typeOf(schema, true)}`;

function methodOf(call: Call, method: Method): string {
  const { args, fixed } = method;
  const areRequired = method.options.some(({ required }) => required);
  const hasOptions = method.options.length > 0;
  const options = hasOptions ? `${optionsName(method)} & CallOptions` : 'CallOptions';
  const parameters = [
    ...args.map((field) =>
      field.required ? parameter(field) : `${field.name}?: ${typeOf(field.schema, true)}`,
    ),
    `options: ${options}${areRequired ? '' : ' = {}'}`,
  ];
  const values = [
    ...args.map(({ name }) => name),
    ...Object.entries(fixed).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ].join(', ');
  const isList = call.kind === 'list';
  const answer = isList ? `Pages<${answerType(call)}>` : `Promise<${answerType(call)}>`;
  return [
    `${docOf(call.summary)}${method.name}(${parameters.join(', ')}): ${answer} {`,
    `return this.runner.${isList ? 'pages' : 'run'}(${call.name}, { ${values} }, options);`,
    '}',
  ].join('\n');
}

/** The calls, types and simple methods of the TypeScript SDK, as one module. */
export function typescriptSdk({ calls, models }: Sdk): string {
  const groups = [...generatedMethods(calls)];
  const methods = calls.flatMap((call) => call.methods.filter(({ handWritten }) => !handWritten));
  return [
    '// Written by `npm run generate` from the contract.',
    "import type { CallOptions, Ref } from './options.ts';",
    "import type { Pages } from './pages.ts';",
    "import { Resource } from './resource.ts';",
    "import type { Shapes, Spec } from './shape.ts';",
    '',
    ...Object.entries(models).map(([name, model]) =>
      model.enum
        ? `${docOf(model.description)}export type ${name} = ${[...model.enum.map((word) => `'${word}'`), '(string & {})'].join(' | ')};\n`
        : `${docOf(model.description)}export interface ${name} { ${[...membersOf(model, false), DERIVED[name] ?? ''].join('\n')} }\n`,
    ),
    '/** The shapes for checking responses. */',
    '// prettier-ignore',
    'export const shapes: Shapes = {',
    ...Object.entries(models).map(
      ([name, model]) => `  ${name}: ${JSON.stringify(responseShape(model))},`,
    ),
    '};',
    '',
    ...calls.map((call) => specOf(call, models)),
    '',
    ...methods.flatMap((method) => {
      if (method.options.length === 0) return [];
      const members = method.options.map(({ name, schema, required }) =>
        memberOf(name, schema, required, true),
      );
      return [
        `/** The options of \`${[method.group, method.name].filter(Boolean).join('.')}\`. */
export interface ${optionsName(method)} { ${members.join('\n')} }\n`,
      ];
    }),
    ...groups.map(
      ([group, groupMethods]) => `${docOf(
        group ? `The plain calls of \`engram.${group}\`` : 'The plain calls of `engram`',
      )}export class ${pascal(group)}Calls extends Resource {
${groupMethods.map(([call, method]) => methodOf(call, method)).join('\n\n')}
}
`,
    ),
  ].join('\n');
}
