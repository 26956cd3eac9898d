import { HttpError } from '../../platform/http/errors.ts';

export const unknownQuestion = (): HttpError =>
  new HttpError(
    400,
    'unknown_question',
    'One of the answers is to a question that does not exist. Please load the questions again.',
  );

export const unknownOption = (question: string): HttpError =>
  new HttpError(
    400,
    'unknown_option',
    `The answer to '${question}' is none of its options. Please load the questions again.`,
  );

export const answeredTwice = (question: string): HttpError =>
  new HttpError(400, 'answered_twice', `'${question}' was answered twice.`);
