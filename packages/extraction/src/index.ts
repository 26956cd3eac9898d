export { detectSound, detectType, HEAD_BYTES } from './detect.ts';
export { ExtractionError } from './errors.ts';
export { extract, opensWith } from './extract.ts';
export { FILE_TYPES } from './file-types.ts';
export { type Captions, transcriptHtml } from './html/transcript.ts';
export { readWebPage, type WebPage } from './html/web-page.ts';
export { createKeyring } from './keyring.ts';
export { memberOf } from './archives/member-of.ts';
export { type ByteSource } from './media/byte-source.ts';
export { createMixer, SPEECH_RATE } from './media/pcm.ts';
export { createPieceCutter, type PieceCutter, type SoundPiece } from './media/pieces.ts';
export { type SoundOptions, soundOf } from './media/sound.ts';
export { EngineError } from './ocr/engine.ts';
export { createRecognizer, type Recognizer, type RecognizerOptions } from './ocr/recognizer.ts';
export {
  type PictureSource,
  pictureOf,
  recognizePicture,
  thumbnailOf,
} from './pictures/pictures.ts';
export { type ReadingView, type ReadingViewOptions, readingViewOf } from './reading-view.ts';
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
  SupplementRequest,
} from './types.ts';
