/** Bits per sample by the code in a frame header (RFC 9639, 9.1.4). 0 means the file's value. */
const BIT_DEPTHS = [0, 8, 12, 0, 16, 20, 24, 32];
/** Coefficients of the fixed predictors, last sample first (9.2.5). */
const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

/** The weights of the channels in the mean: left and side, side and right, mid and side (4.2). */
const SHARES = [
  [1, -0.5],
  [0.5, 1],
  [1, 0],
];

/** The file's bits per sample (8.2), after 'fLaC' and the block header. */
export function flacBits(streamInfo: Uint8Array): number {
  const [high = 0, low = 0] = streamInfo.subarray(20, 22);
  return ((high & 1) << 4) + (low >> 4) + 1;
}

/** Decodes a frame and mixes its channels to one, from -1 to 1. A broken frame is silent. */
export function decodeFlacFrame(frame: Uint8Array, fileBits: number): Float32Array {
  const input = new BitReader(frame);
  const header = readHeader(input, fileBits);
  const mono = new Float32Array(header?.size ?? 0);
  if (header === null) return mono;
  const { size, bits, assignment } = header;
  const stereo = assignment >= 8;
  // The difference of two channels has one more bit.
  const sideAt = assignment === 9 ? 0 : 1;
  const count = stereo ? 2 : assignment + 1;
  const channels: Float64Array[] = [];
  for (let at = 0; at < count && !input.ended; at += 1) {
    channels.push(readSubframe(input, size, bits + (stereo && at === sideAt ? 1 : 0)));
  }
  if (input.ended) return mono;
  const shares = SHARES[assignment - 8] ?? channels.map(() => 1 / channels.length);
  for (const [channel, samples] of channels.entries()) {
    const share = (shares[channel] ?? 0) / 2 ** (bits - 1);
    for (let at = 0; at < size; at += 1) mono[at] = (mono[at] ?? 0) + (samples[at] ?? 0) * share;
  }
  return mono;
}

/** The header of a frame (9.1). Null if it is not valid. */
function readHeader(
  input: BitReader,
  fileBits: number,
): { size: number; bits: number; assignment: number } | null {
  if (input.read(15) !== 0x7ffc) return null;
  input.read(1);
  const sizeCode = input.read(4);
  const rateCode = input.read(4);
  const assignment = input.read(4);
  const bits = BIT_DEPTHS[input.read(3)] || fileBits;
  input.read(1);
  // The frame number is encoded like UTF-8.
  const ones = Math.clz32(~(input.read(8) << 24));
  for (let at = 1; at < ones; at += 1) input.read(8);
  const size =
    sizeCode === 6 ? input.read(8) + 1 : sizeCode === 7 ? input.read(16) + 1 : blockSize(sizeCode);
  if (rateCode >= 12) input.read(rateCode === 12 ? 8 : 16);
  input.read(8);
  return size === 0 || assignment > 10 || input.ended ? null : { size, bits, assignment };
}

/** Block sizes by their code (9.1.1). */
function blockSize(code: number): number {
  if (code === 1) return 192;
  if (code >= 2 && code <= 5) return 576 * 2 ** (code - 2);
  return code >= 8 ? 2 ** code : 0;
}

/** A channel's samples (9.2). */
function readSubframe(input: BitReader, size: number, frameBits: number): Float64Array {
  input.read(1);
  const type = input.read(6);
  const wasted = input.read(1) === 1 ? input.unary() + 1 : 0;
  const bits = frameBits - wasted;
  const samples = new Float64Array(size);
  if (type === 0) samples.fill(input.signed(bits));
  else if (type === 1) for (let at = 0; at < size; at += 1) samples[at] = input.signed(bits);
  else if (type >= 8 && type <= 12) {
    const factors = FIXED[type - 8] ?? [];
    for (let at = 0; at < factors.length; at += 1) samples[at] = input.signed(bits);
    predict(samples, factors, 0, input);
  } else if (type >= 32) {
    const order = type - 31;
    for (let at = 0; at < order; at += 1) samples[at] = input.signed(bits);
    const precision = input.read(4) + 1;
    const shift = input.signed(5);
    const factors = Array.from({ length: order }, () => input.signed(precision));
    predict(samples, factors, shift, input);
  }
  return wasted === 0 ? samples : samples.map((sample) => sample * 2 ** wasted);
}

/** Adds the residual (9.2.7) to the prediction from the previous samples. */
function predict(
  samples: Float64Array,
  factors: readonly number[],
  shift: number,
  input: BitReader,
): void {
  const order = factors.length;
  const width = input.read(2) === 0 ? 4 : 5;
  const partitions = 2 ** input.read(4);
  const length = samples.length / partitions;
  for (let at = order, part = 0; part < partitions && !input.ended; part += 1) {
    const parameter = input.read(width);
    const raw = parameter === 2 ** width - 1 ? input.read(5) : null;
    for (const end = (part + 1) * length; at < end && !input.ended; at += 1) {
      let sum = 0;
      for (let offset = 0; offset < order; offset += 1) {
        sum += (factors[offset] ?? 0) * (samples[at - 1 - offset] ?? 0);
      }
      const residual = raw === null ? input.rice(parameter) : input.signed(raw);
      samples[at] = Math.floor(sum / 2 ** shift) + residual;
    }
  }
}

class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether reading went past the end. */
  get ended(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  read(count: number): number {
    let value = 0;
    for (let remaining = count; remaining > 0;) {
      const free = 8 - (this.#at & 7);
      const bits = Math.min(free, remaining);
      const byte = this.#bytes[this.#at >> 3] ?? 0;
      value = value * 2 ** bits + ((byte >> (free - bits)) & (2 ** bits - 1));
      this.#at += bits;
      remaining -= bits;
    }
    return value;
  }

  /** A number in two's complement. */
  signed(count: number): number {
    const value = this.read(count);
    return count > 0 && value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** The number of zero bits before the next one bit. */
  unary(): number {
    let zeros = 0;
    while (!this.ended && this.read(1) === 0) zeros += 1;
    return zeros;
  }

  /** A Rice-coded number, whose lowest bit is its sign (9.2.7.2). */
  rice(parameter: number): number {
    const value = this.unary() * 2 ** parameter + this.read(parameter);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
