/** For processes that read no file themselves: without the formats' libraries. */
export { detectSound, detectType, HEAD_BYTES } from './detect.ts';
export { ExtractionError } from './errors.ts';
export { createMixer, SPEECH_RATE } from './media/pcm.ts';
export { createPieceCutter } from './media/pieces.ts';
export { findLanguages, hasLanguageData } from './ocr/language-data.ts';
