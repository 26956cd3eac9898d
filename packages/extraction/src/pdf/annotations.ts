import { constants, inflateSync } from 'node:zlib';
import { bufferOf } from '../bytes.ts';
import type { PdfPage } from './engine.ts';
import { cleanTitle } from '../text-builder.ts';

/** The used fields of an annotation, which come from the file unchecked. */
interface Annotation {
  subtype?: unknown;
  fieldType?: unknown;
  fieldName?: unknown;
  alternativeText?: unknown;
  fieldValue?: unknown;
  options?: unknown;
  checkBox?: unknown;
  radioButton?: unknown;
  buttonValue?: unknown;
  exportValue?: unknown;
  password?: unknown;
  contentsObj?: { str?: unknown };
  titleObj?: { str?: unknown };
  inReplyTo?: unknown;
}

export interface PageNotes {
  /** 'label: value' of filled fields. */
  fields: string[];
  comments: string[];
}

const IGNORED = new Set(['Link', 'Popup', 'Widget', 'FileAttachment', 'Screen', 'Movie', 'Sound']);
const MARKERS = [
  '/Widget',
  '/FreeText',
  '/Highlight',
  '/Underline',
  '/StrikeOut',
  '/Squiggly',
  '/Stamp',
  '/Subtype/Text',
  '/Subtype /Text',
];
/** Bounds on compressed object streams and the bytes of each. */
const MAX_STREAMS = 4000;
const MAX_STREAM = 16_000_000;

/** Whether a file may have fields or comments, which are expensive to get. */
export function mayHaveNotes(bytes: Uint8Array): boolean {
  const file = bufferOf(bytes);
  const marked = (part: Buffer): boolean => MARKERS.some((marker) => part.includes(marker));
  if (marked(file)) return true;
  let offset = file.indexOf('/ObjStm');
  for (let count = 0; offset !== -1; count += 1) {
    const start = file.indexOf('stream', offset);
    const end = file.indexOf('endstream', start);
    if (start === -1 || end === -1 || count > MAX_STREAMS) return count > MAX_STREAMS;
    const first = start + 6 + (file[start + 6] === 13 ? 2 : 1);
    try {
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM };
      if (marked(inflateSync(file.subarray(first, end), options))) return true;
    } catch {
      // The stream is encrypted or compressed otherwise and may contain anything.
      return true;
    }
    offset = file.indexOf('/ObjStm', end);
  }
  return false;
}

export async function notesOf(page: PdfPage): Promise<PageNotes> {
  try {
    return readNotes((await page.getAnnotations({ intent: 'any' })) as Annotation[]);
  } catch {
    // Broken annotations are ignored.
    return { fields: [], comments: [] };
  }
}

export function readNotes(annotations: readonly Annotation[]): PageNotes {
  const fields: string[] = [];
  const comments: string[] = [];
  for (const annotation of annotations) {
    if (annotation.subtype === 'Widget') {
      const value = valueOf(annotation);
      if (value === null) continue;
      const label = cleanTitle(annotation.alternativeText) ?? cleanTitle(annotation.fieldName);
      fields.push(label === null ? value : `${label.replace(/(?<![:\s])[:\s]+$/u, '')}: ${value}`);
    } else if (!IGNORED.has(String(annotation.subtype))) {
      const text = textOf(annotation.contentsObj?.str);
      if (text === null) continue;
      const author = cleanTitle(annotation.titleObj?.str);
      comments.push(author === null ? text : `${author}: ${text}`);
    }
  }
  return { fields: [...new Set(fields)], comments: [...new Set(comments)] };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function valueOf(annotation: Annotation): string | null {
  const { fieldType, fieldValue } = annotation;
  if (annotation.password === true) return null;
  if (fieldType === 'Tx') return textOf(fieldValue);
  if (fieldType === 'Btn') {
    if (annotation.checkBox === true) {
      const on = fieldValue !== null && fieldValue !== 'Off' && fieldValue !== '';
      return on && fieldValue === annotation.exportValue ? namedOr(fieldValue, 'Yes') : null;
    }
    if (annotation.radioButton !== true || textOf(fieldValue) === null) return null;
    return fieldValue === annotation.buttonValue ? namedOr(fieldValue, 'Yes') : null;
  }
  if (fieldType !== 'Ch') return null;
  const chosen = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).flatMap((value) => {
    const text = textOf(value);
    return text === null ? [] : [shownOption(annotation.options, text)];
  });
  return chosen.length === 0 ? null : chosen.join(', ');
}

function namedOr(value: unknown, fallback: string): string {
  const text = textOf(value);
  return text === null || /^(?:on|yes|true|\d+)$/iu.test(text) ? fallback : text;
}

/** The displayed name of an option. */
function shownOption(options: unknown, value: string): string {
  if (!Array.isArray(options)) return value;
  for (const option of options as { exportValue?: unknown; displayValue?: unknown }[]) {
    if (option.exportValue === value) return textOf(option.displayValue) ?? value;
  }
  return value;
}
