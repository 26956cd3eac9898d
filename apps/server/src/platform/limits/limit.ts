/** How often something may be done. */
export interface Rate {
  /** Calls per second in the long run. */
  perSecond: number;
  /** Calls that may come at once. */
  burst: number;
}

/** How often something may be done, for each key. */
export interface Limit {
  /**
   * Counts one. Answers 0 when it may be done, or else the seconds until it may. Never rejects.
   * @param times how many times the rate and the burst this key has. Default: 1.
   */
  (key: string, times?: number): Promise<number>;
  /** Takes one back that was counted. */
  giveBack(key: string, times?: number): void;
}

/**
 * Makes a limit of a rate.
 * @param name tells it from every other limit: servers that share a database count under it together
 */
export type LimitOf = (name: string, rate: Rate) => Limit;

/** What limits nothing. */
export const noLimit: Limit = Object.assign(() => Promise.resolve(0), {
  giveBack: () => undefined,
});
