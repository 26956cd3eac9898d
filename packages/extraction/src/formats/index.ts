import type { Format } from '../format.ts';
import { csv } from './csv.ts';
import { docx } from './docx.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { pdf } from './pdf.ts';
import { pptx } from './pptx.ts';
import { txt } from './txt.ts';
import { xlsx } from './xlsx.ts';

/** Every format that is read. */
export const formats: readonly Format[] = [txt, csv, html, json, pdf, docx, xlsx, pptx];
