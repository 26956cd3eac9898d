export interface Rate {
  perSecond: number;
  burst: number;
}

export interface Limit {
  /**
   * Counts a call. Returns 0 if it is allowed, or else the seconds until it is. Never rejects.
   * @param times the multiple of the rate and the burst that this key has. Default: 1
   */
  (key: string, times?: number): Promise<number>;
  giveBack(key: string, times?: number): void;
}

/** Makes a limit of a rate. Servers that share a database count together under its name. */
export type LimitOf = (name: string, rate: Rate) => Limit;

export const noLimit: Limit = Object.assign(() => Promise.resolve(0), {
  giveBack: () => undefined,
});
