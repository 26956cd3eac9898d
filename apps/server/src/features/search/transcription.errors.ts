import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';

export const nothingTranscribes = (): HttpError =>
  new HttpError(
    503,
    'transcription_off',
    'This server does not write down what is said. Please type your question.',
  );

export const transcriptionFailed = (reason: string, retryAfterSeconds?: number): HttpError =>
  new HttpError(
    503,
    'transcription_unavailable',
    `What you said could not be written down: ${reason} Please try again in a moment, or type your question.`,
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );

export const spokenTooOften = (seconds: number): HttpError =>
  tooManyRequests('Too many recordings in a short time. Please wait a moment, or type.', seconds);

export const notMultipart = (): HttpError =>
  new HttpError(415, 'not_multipart', 'A recording must be sent as multipart/form-data.');

export const oneRecording = (): HttpError =>
  new HttpError(400, 'one_recording', 'Please send exactly one recording.');

export const recordingEmpty = (): HttpError =>
  new HttpError(400, 'recording_empty', 'The recording is empty. Please record it again.');

export const recordingTooLarge = (megabytes: number): HttpError =>
  new HttpError(413, 'recording_too_large', `A recording can have at most ${megabytes} MB.`);

export const recordingTooLong = (message: string): HttpError =>
  new HttpError(413, 'recording_too_long', `${message} Please say it in fewer words.`);

export const recordingNotHeard = (message: string): HttpError =>
  new HttpError(415, 'recording_not_supported', message);

export const recordingDamaged = (message: string): HttpError =>
  new HttpError(400, 'recording_damaged', `${message} Please record it again.`);

export const recordingBroken = (): HttpError =>
  new HttpError(400, 'recording_broken', 'The recording arrived incomplete. Please try again.');

export const callerGone = (): HttpError =>
  new HttpError(499, 'caller_gone', 'The caller went away.');
