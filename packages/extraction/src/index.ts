export { detectType, HEAD_BYTES, mediaType } from './detect.ts';
export { ExtractionError } from './errors.ts';
export { extract, preload, READ_TYPES } from './extract.ts';
export type {
  Box,
  ExtractInput,
  Extraction,
  ExtractionErrorCode,
  ExtractOptions,
  FileType,
  Location,
  PageWords,
  PictureRef,
  RecognizedLine,
  RecognizedPage,
  RecognizedWord,
  Segment,
  SegmentKind,
  Supplements,
  TranscriptPart,
  Want,
} from './types.ts';
