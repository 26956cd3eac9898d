import { createHash } from 'node:crypto';
import { bytesOf } from '../search-index.ts';

/** Bytes of the model's name before the numbers of a vector. */
const NAME_BYTES = 4;

const nameOf = (model: string): Buffer =>
  createHash('sha256').update(model).digest().subarray(0, NAME_BYTES);

export function encodeVector(model: string, vector: Float32Array): string {
  const bytes = bytesOf(vector);
  return Buffer.concat([nameOf(model), Buffer.from(bytes.buffer)]).toString('base64');
}

export const isOfModel = (encoded: string, model: string): boolean =>
  Buffer.from(encoded, 'base64').subarray(0, NAME_BYTES).equals(nameOf(model));

/**
 * Scores a row by the cosine of its vector and the question's plus 1, because a score is never negative,
 * or 0 without a vector of the model. The question's numbers are passed as the characters of a string,
 * because a list would be unpacked for every row.
 */
const SOURCE = `
  String question = params.question;
  String name = params.name;
  for (BytesRef vector : doc['vectors']) {
    byte[] bytes = vector.bytes;
    int start = vector.offset;
    boolean named = true;
    for (int i = 0; i < ${NAME_BYTES}; i++) {
      if (bytes[start + i] != (byte) (name.charAt(i) - 128)) { named = false; }
    }
    if (!named || vector.length - ${NAME_BYTES} != question.length()) { continue; }
    start += ${NAME_BYTES};
    int product = 0;
    int square = 0;
    for (int i = 0; i < question.length(); i++) {
      int number = bytes[start + i];
      product += number * (question.charAt(i) - 128);
      square += number * number;
    }
    return 1 + product / Math.sqrt((double) square * params.square);
  }
  return 0;`;

const asText = (numbers: Int8Array): string =>
  Array.from(numbers, (number) => String.fromCharCode(number + 128)).join('');

export function nearness(model: string, vector: Float32Array): object {
  const question = bytesOf(vector);
  const square = question.reduce((sum, number) => sum + number * number, 0);
  const name = asText(new Int8Array(nameOf(model)));
  return { source: SOURCE, params: { question: asText(question), square, name } };
}
