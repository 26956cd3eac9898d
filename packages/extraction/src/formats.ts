import type { Format } from './format.ts';
import { csv } from './text/csv.ts';
import { doc } from './office/doc.ts';
import { docx } from './office/docx.ts';
import { epub } from './html/epub.ts';
import { html } from './html/html.ts';
import { bmp, gif, jpeg, png, tiff, webp } from './pictures/image.ts';
import { ics } from './calendar/ics.ts';
import { json } from './text/json.ts';
import { eml, mbox } from './mail/mail.ts';
import { avi, mkv, mov, mp3, mp4, wav } from './media/media.ts';
import { odp } from './office/odp.ts';
import { ods } from './office/ods.ts';
import { odt } from './office/odt.ts';
import { pdf } from './pdf/pdf.ts';
import { ppt } from './office/ppt.ts';
import { pptx } from './office/pptx.ts';
import { rtf } from './office/rtf.ts';
import { md } from './html/markdown.ts';
import { txt } from './text/txt.ts';
import { vcf } from './calendar/vcf.ts';
import { xls, xlsx } from './office/xlsx.ts';
import { zip } from './archives/zip.ts';

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
