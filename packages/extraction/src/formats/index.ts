import type { Format } from '../format.ts';
import { csv } from './csv.ts';
import { docx } from './docx.ts';
import { html } from './html.ts';
import { bmp, gif, jpeg, png } from './image.ts';
import { json } from './json.ts';
import { avi, mkv, mov, mp3, mp4, wav } from './media.ts';
import { pdf } from './pdf.ts';
import { ppt } from './ppt.ts';
import { pptx } from './pptx.ts';
import { txt } from './txt.ts';
import { xlsx } from './xlsx.ts';
import { zip } from './zip.ts';

/** Every format that is read. */
export const formats: readonly Format[] = [
  txt,
  csv,
  html,
  json,
  pdf,
  docx,
  xlsx,
  pptx,
  ppt,
  zip,
  wav,
  mp3,
  mp4,
  avi,
  mov,
  mkv,
  jpeg,
  png,
  bmp,
  gif,
];
