/** The value below which the share of the measured values lies, in milliseconds to two places. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
