/** Exports without the formats' libraries, for processes that do not read files. */
export { detectSound, detectType, HEAD_BYTES } from './detect.ts';
export { ExtractionError } from './errors.ts';
export { createMixer, SPEECH_RATE } from './media/pcm.ts';
export { createPieceCutter } from './media/pieces.ts';
export { findLanguages, hasLanguageData } from './ocr/language-data.ts';
