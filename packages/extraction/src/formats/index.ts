import type { Format } from '../format.ts';
import { csv } from './csv.ts';
import { doc } from './doc.ts';
import { docx } from './docx.ts';
import { epub } from './epub.ts';
import { html } from './html.ts';
import { bmp, gif, jpeg, png, tiff, webp } from './image.ts';
import { ics } from './ics.ts';
import { json } from './json.ts';
import { eml, mbox } from './mail.ts';
import { avi, mkv, mov, mp3, mp4, wav } from './media.ts';
import { odp } from './odp.ts';
import { ods } from './ods.ts';
import { odt } from './odt.ts';
import { pdf } from './pdf.ts';
import { ppt } from './ppt.ts';
import { pptx } from './pptx.ts';
import { rtf } from './rtf.ts';
import { md } from './md.ts';
import { txt } from './txt.ts';
import { vcf } from './vcf.ts';
import { xls, xlsx } from './xlsx.ts';
import { zip } from './zip.ts';

/** Every format that is read. */
export const formats: readonly Format[] = [
  txt,
  md,
  csv,
  html,
  json,
  pdf,
  docx,
  doc,
  xlsx,
  xls,
  pptx,
  ppt,
  odt,
  ods,
  odp,
  rtf,
  epub,
  zip,
  eml,
  mbox,
  ics,
  vcf,
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
  webp,
  tiff,
];
