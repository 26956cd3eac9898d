export { detectType, HEAD_BYTES, mediaType } from './detect.ts';
export { ExtractionError } from './errors.ts';
export { extract, preload, READ_TYPES } from './extract.ts';
export type {
  ExtractInput,
  Extraction,
  ExtractionErrorCode,
  ExtractOptions,
  FileType,
  Location,
  Segment,
  SegmentKind,
} from './types.ts';
