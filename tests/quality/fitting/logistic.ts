/** The features of a question, and whether it has an answer. */
export interface Sample {
  features: readonly number[];
  isRight: boolean;
}

interface LogisticModel {
  bias: number;
  weights: number[];
}

const ROUNDS = 1500;
const RATE = 2;
/** L2 penalty, halved. */
const RIDGE = 0.01;

/** Logistic regression by gradient descent over features of unit deviation, with an L2 penalty. */
export function fitLogistic(samples: readonly (Sample & { weight: number })[]): LogisticModel {
  const width = samples[0]?.features.length ?? 0;
  const columns = Array.from({ length: width }, (_, i) => {
    const values = samples.map(({ features }) => features[i] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const rows = samples.map(({ features, isRight, weight }) => ({
    scaled: columns.map(({ mean, deviation }, i) => ((features[i] ?? 0) - mean) / deviation),
    target: Number(isRight),
    share: weight / total,
  }));
  let bias = 0;
  let weights = columns.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    let biasSlope = 0;
    const slopes = weights.map((weight) => RIDGE * weight);
    for (const { scaled, target, share } of rows) {
      const z = scaled.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), bias);
      const error = share * (1 / (1 + Math.exp(-z)) - target);
      biasSlope += error;
      scaled.forEach((value, i) => (slopes[i] = (slopes[i] ?? 0) + error * value));
    }
    bias -= RATE * biasSlope;
    weights = weights.map((weight, i) => weight - RATE * (slopes[i] ?? 0));
  }
  const unscaled = weights.map((weight, i) => weight / (columns[i]?.deviation ?? 1));
  const shift = unscaled.reduce((sum, weight, i) => sum + weight * (columns[i]?.mean ?? 0), 0);
  return { bias: bias - shift, weights: unscaled };
}
