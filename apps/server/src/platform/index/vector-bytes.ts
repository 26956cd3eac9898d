/** One byte a dimension, the largest number as 127; a cosine does not ask for the length. */
export function bytesOf(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  return Int8Array.from(vector, (number) => Math.round((127 * number) / largest));
}

/** Whether a vector points anywhere. */
export const isDirection = (vector: Float32Array): boolean => vector.some((number) => number !== 0);
