/** What a process needs that reads no file itself: without the libraries of the formats. */
export { detectSound, detectType, HEAD_BYTES } from './detect.ts';
export { ExtractionError } from './errors.ts';
export { createMixer, SPEECH_RATE } from './media/pcm.ts';
export { createPieceCutter } from './media/pieces.ts';
export { findLanguages } from './ocr/language-data.ts';
