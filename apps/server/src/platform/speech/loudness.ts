/** The samples of a block: 0.4 s at 22,050 Hz. */
const BLOCK = 8820;
/** The target mean power: -20 dB of full scale. */
const TARGET_POWER = 10 ** (-20 / 10);
/** Blocks below -50 dB, or 10 dB below the mean of the others, are pauses. */
const SILENCE_POWER = 10 ** (-50 / 10);
const PAUSE_SHARE = 10 ** (-10 / 10);
/** -1 dB of full scale, because lossy coding overshoots. */
const PEAK = 10 ** (-1 / 20);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/**
 * Normalizes the loudness of speech in place: the mean power of 0.4 s blocks without the pauses (the two
 * gates of ITU-R BS.1770-4, section 5).
 * @param samples 22,050 per second, from -1 to 1
 * @returns false for silence, which is not changed
 */
export function normalizeLoudness(samples: Float32Array): boolean {
  const powers: number[] = [];
  let peak = 0;
  for (let start = 0; start < samples.length; start += BLOCK) {
    let sum = 0;
    const block = samples.subarray(start, start + BLOCK);
    for (const sample of block) {
      sum += sample * sample;
      peak = Math.max(peak, Math.abs(sample));
    }
    powers.push(sum / block.length);
  }
  const audible = powers.filter((power) => power > SILENCE_POWER);
  const gate = mean(audible) * PAUSE_SHARE;
  const power = mean(audible.filter((power) => power >= gate));
  if (power === 0) return false;
  const factor = Math.min(Math.sqrt(TARGET_POWER / power), PEAK / peak);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (samples[i] ?? 0) * factor;
  return true;
}
