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
import { checkedFields } from './shapes.ts';

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Keywords of Python get an underscore. */
const KEYWORDS = new Set(['from', 'in', 'is', 'class', 'def', 'global', 'import', 'not', 'or']);

const snake = (name: string): string => {
  const plain = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, '_').toLowerCase();
  return KEYWORDS.has(plain) ? `${plain}_` : plain;
};

/** The API name that the base class of the models derives from a Python name. */
const camel = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());

/** The base classes of models with derived fields. */
const BASES: Record<string, string> = {
  Location: 'LocationText',
  Answer: 'AnswerText',
  HistoryEntry: 'AnswerText',
  File: 'FileState',
};

const literal = (values: readonly string[]): string =>
  `Literal[${values.map((word) => JSON.stringify(word)).join(', ')}]`;

/** The type of a response, or of a parameter if `isParameter` is set. */
function typeOf(schema: Schema, models: Sdk['models'], isParameter: boolean): string {
  const inner = (option: Schema): string => typeOf(option, models, isParameter);
  const { $ref, anyOf, items, prefixItems, additionalProperties, format } = schema;
  if ($ref) {
    // A newer server may return values that this version does not know.
    return models[nameOf($ref)]?.enum && !isParameter ? `${nameOf($ref)} | str` : nameOf($ref);
  }
  if (anyOf) return [...new Set(anyOf.flatMap((option) => inner(option).split(' | ')))].join(' | ');
  if (isFlag(schema)) return 'bool';
  if (schema.enum) return isParameter ? literal(schema.enum) : `${literal(schema.enum)} | str`;
  if (format === 'uuid') return isParameter ? 'Ref' : 'str';
  if (format === 'date-time') return 'datetime';
  if (format === 'date') return 'date';
  if (prefixItems) return `tuple[${prefixItems.map(inner).join(', ')}]`;
  if (items) return isParameter ? `Iterable[${inner(items)}]` : `list[${inner(items)}]`;
  if (typeof additionalProperties === 'object') return `dict[str, ${inner(additionalProperties)}]`;
  return SCALARS[schema.type ?? ''] ?? 'Any';
}

const docOf = (text: string, indent: string): string =>
  `${indent}"""${text.replace(/\.?$/u, '.')}"""`;

function fieldOf(name: string, schema: Schema, required: boolean, models: Sdk['models']): string[] {
  const snakeName = snake(name);
  const wire = schema.wire ?? name;
  const alias = camel(snakeName) === wire ? '' : `alias=${JSON.stringify(wire)}`;
  let type = typeOf(schema, models, false);
  let fallback = '';
  if (Array.isArray(schema.default)) fallback = `default_factory=${type}`;
  else if (!required || schema.default === null) {
    fallback = 'default=None';
    if (!type.endsWith('None')) type = `${type} | None`;
  }
  const options = [fallback, alias].filter(Boolean).join(', ');
  return [
    `    ${snakeName}: ${type}${options ? ` = Field(${options})` : ''}`,
    ...(schema.description ? [docOf(schema.description, '    ')] : []),
  ];
}

function modelOf(name: string, model: Schema, models: Sdk['models']): string {
  const doc = model.description ?? name;
  if (model.enum) return `${name} = ${literal(model.enum)}\n${docOf(doc, '')}\n`;
  const required = model.required ?? [];
  const fields = Object.entries(model.properties ?? {}).flatMap(([field, schema]) =>
    fieldOf(field, schema, required.includes(field), models),
  );
  return `class ${name}(${BASES[name] ?? 'Model'}):\n${docOf(doc, '    ')}\n\n${fields.join('\n')}\n`;
}

/** JSON as a Python literal. */
function python(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${JSON.stringify(key)}: ${python(entry)}`)
    .join(', ')}}`;
}

const constant = (name: string): string => snake(name).toUpperCase();

function answerType(call: Call, models: Sdk['models']): string {
  if (call.kind === 'text') return 'str';
  if (call.kind === 'file') return 'httpx2.Response';
  return call.answer ? typeOf(call.answer, models, false) : 'None';
}

function specOf(call: Call, models: Sdk['models']): string {
  const type = answerType(call, models);
  const parts = [
    JSON.stringify(call.method),
    JSON.stringify(call.path),
    `fields=${python(checkedFields(call, models))}`,
    ...(call.kind === 'json' || call.kind === 'list' ? [`shape=${type}`] : []),
    ...(call.kind === 'text' || call.kind === 'file' ? [`kind=${JSON.stringify(call.kind)}`] : []),
    ...(call.notRepeatable ? ['repeat=Repeat.UNPROCESSED'] : []),
  ];
  return `${constant(call.name)}: Spec[${type}] = Spec(${parts.join(', ')})`;
}

function parameterOf(
  { name, schema, required }: Field,
  fixed: Method['fixed'],
  models: Sdk['models'],
): string {
  const type = typeOf(schema, models, true).replaceAll('datetime | date', 'datetime | date | str');
  const fallback = fixed[name];
  if (fallback !== undefined) return `${snake(name)}: ${type} = ${python(fallback)}`;
  return required ? `${snake(name)}: ${type}` : `${snake(name)}: ${type} | None = None`;
}

/** Longer signatures have one parameter per line. */
const LINE_LENGTH = 100;

/** In a class with a method `list`, that name refers to the method. */
const inClass = (type: string): string => type.replaceAll(/\blist\[/gu, 'builtins.list[');

function methodOf(call: Call, method: Method, models: Sdk['models'], isAsync: boolean): string {
  const { args, options, fixed } = method;
  const parameters = [
    'self',
    ...args.map((field) => parameterOf(field, {}, models)),
    ...(options.length > 0 ? ['*'] : []),
    ...options.map((field) => parameterOf(field, fixed, models)),
  ];
  const named = new Set([...args, ...options].map(({ name }) => name));
  const values = [
    ...[...args, ...options].map(({ name }) => `${JSON.stringify(name)}: ${snake(name)}`),
    ...Object.entries(fixed)
      .filter(([name]) => !named.has(name))
      .map(([name, value]) => `${JSON.stringify(name)}: ${python(value)}`),
  ].join(', ');
  const type = inClass(answerType(call, models));
  const isList = call.kind === 'list';
  const pages = isAsync ? 'AsyncPages' : 'Pages';
  const [asyncKeyword, awaitKeyword] = isAsync && !isList ? ['async ', 'await '] : ['', ''];
  const request = isList
    ? `${pages}(self._runner, ${constant(call.name)}, {${values}})`
    : `${awaitKeyword}self._runner.call(call_of(${constant(call.name)}, {${values}}))`;
  const start = `    ${asyncKeyword}def ${snake(method.name)}(`;
  const end = `) -> ${isList ? `${pages}[${type}]` : type}:`;
  const oneLine = `${start}${parameters.map(inClass).join(', ')}${end}`;
  const signature = [
    start,
    ...parameters.map((parameter) => `        ${inClass(parameter)},`),
    `    ${end}`,
  ];
  return [
    ...(oneLine.length <= LINE_LENGTH ? [oneLine] : signature),
    docOf(call.summary, '        '),
    `        return ${request}`,
  ].join('\n');
}

/** The models, calls and simple methods of the Python SDK, as one module. */
export function pythonSdk({ calls, models }: Sdk): string {
  const classes = [false, true].flatMap((isAsync) =>
    [...generatedMethods(calls)].map(([group, groupMethods]) => {
      const runner = isAsync ? 'AsyncRunner' : 'SyncRunner';
      const path = ['engram', group].filter(Boolean).join('.');
      return [
        `class ${isAsync ? 'Async' : ''}${pascal(group)}Calls:`,
        docOf(`The plain calls of \`${path}\``, '    '),
        '',
        `    def __init__(self, runner: ${runner}) -> None:`,
        '        self._runner = runner',
        ...groupMethods.flatMap(([call, method]) => ['', methodOf(call, method, models, isAsync)]),
        '',
      ].join('\n');
    }),
  );
  return [
    '"""The calls and models of the API. Written by `npm run generate` from openapi.json."""',
    '',
    '# ruff: noqa: E501',
    'from __future__ import annotations',
    '',
    'import builtins',
    'from collections.abc import Iterable',
    'from datetime import date, datetime',
    'from typing import Literal',
    '',
    'import httpx2',
    'from pydantic import Field',
    '',
    'from ._async_pages import AsyncPages',
    'from ._async_run import AsyncRunner',
    'from ._core import Repeat',
    'from ._model import AnswerText, FileState, LocationText, Model',
    'from ._pages import Pages',
    'from ._run import SyncRunner',
    'from ._spec import Ref, Spec, call_of',
    '',
    `__all__ = ${python(Object.keys(models).toSorted())}`,
    '',
    ...sortByReferences(models).map((name) => modelOf(name, models[name] ?? {}, models)),
    ...calls.map((call) => specOf(call, models)),
    '',
    ...classes,
  ].join('\n');
}

/** The names of the models, each after the models that it refers to. */
function sortByReferences(models: Sdk['models']): string[] {
  const done = new Set<string>();
  const addWithReferences = (name: string): void => {
    if (done.has(name)) return;
    const refs = JSON.stringify(models[name]).matchAll(/"\$ref":"[^"]*\/(\w+)"/gu);
    for (const [, other = ''] of refs) addWithReferences(other);
    done.add(name);
  };
  Object.keys(models).forEach(addWithReferences);
  return [...done];
}
