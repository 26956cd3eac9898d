export interface Rate {
  perSecond: number;
  burst: number;
}

export interface Limit {
  /**
   * Counts a call. Resolves to 0 if it is allowed, otherwise to the seconds until it is. Never rejects.
   * @param times the factor by which the key's rate and burst are multiplied. Default: 1
   */
  (key: string, times?: number): Promise<number>;
  giveBack(key: string, times?: number): void;
}

/** Creates a limit. Servers that share a database share its counts. */
export type LimitOf = (name: string, rate: Rate) => Limit;

export const noLimit: Limit = Object.assign(() => Promise.resolve(0), {
  giveBack: () => undefined,
});
