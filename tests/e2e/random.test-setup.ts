/** The same moments in every run. Lehmer's generator with Park and Miller's numbers (1988). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
