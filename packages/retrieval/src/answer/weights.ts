/**
 * What each piece of evidence counts for a window as the answer (see WindowFeatures): maximum
 * likelihood of a softmax over the best windows of ten passages and 'none of them', fitted by
 * `tests/quality/fitting/answers.ts`, which also prints what each set gets when it is left out.
 */
export const CHOICE = {
  cover: 2.94,
  own: 3.1,
  focus: 1.55,
  label: 1.22,
  lack: -0.53,
  absent: -2.15,
  nameless: -0.17,
  typed: 2.12,
  heading: -2.34,
  sentence: 2.34,
  standing: 2.51,
  rarity: 2.85,
} as const;

/** The logistic model of whether the best window answers (see GateFeatures), fitted likewise. */
export const GATE = {
  bias: -6.1,
  cover: 0.71,
  own: 1.04,
  lack: 0.35,
  absent: -2.01,
  nameless: -0.81,
  typed: 0.44,
  untyped: -0.45,
  rarity: 0.78,
  margin: 1.92,
  mass: 0.96,
  coveredMass: 1.24,
} as const;

/**
 * What the gate adds to its sum, set by hand. `said`: where no more than `all` of what was asked is
 * absent from the file, less beyond it, and nothing from `none` on. In a library of more than `large`
 * chunks more is found by chance, which takes off `fall` for each e times as many, and at most `most`:
 * beyond some 8,800 chunks it would refuse right answers above all (docs/decisions/015). In one of
 * fewer than `tiny` less is, which adds `rise` for each e times fewer.
 */
export const LENIENCE = {
  said: 3.4,
  all: 0.5,
  none: 0.8,
  large: 1000,
  fall: 1.65,
  most: 3.6,
  tiny: 30,
  rise: 0.6,
} as const;

/** The confidence from which on a proposal is an answer. */
export const THRESHOLD = 0.5;
