/** One equation: the sum of each unknown times its factor is the value. */
export interface Equation {
  factors: readonly number[];
  value: number;
}

/** A column that others leave less than this share of is not told apart from them. */
const leastShare = 0.01;
/** How far a sum may be from its value; the values carry the precision of 32-bit floats. */
const tolerance = 1e-5;

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

interface Basis {
  /** Orthonormal columns. */
  columns: number[][];
  /** By column: its share of each basis column before it, and its own length at the end. */
  shares: number[][];
}

/**
 * Makes the columns orthonormal (modified Gram-Schmidt; Golub and Van Loan, Matrix Computations,
 * 5.2.8). Answers the first column that depends on those before it instead, where there is one.
 */
function orthonormal(given: readonly (readonly number[])[]): Basis | number {
  const columns: number[][] = [];
  const shares: number[][] = [];
  for (const [index, column] of given.entries()) {
    let rest = [...column];
    const own: number[] = [];
    for (const basis of columns) {
      const share = dot(basis, rest);
      rest = rest.map((value, row) => value - share * (basis[row] ?? 0));
      own.push(share);
    }
    const length = Math.sqrt(dot(rest, rest));
    if (!(length > leastShare * Math.sqrt(dot(column, column)))) return index;
    columns.push(rest.map((value) => value / length));
    shares.push([...own, length]);
  }
  return { columns, shares };
}

/** Solves equations that agree with each other, by unknown; empty when they do not. */
function solveAgreeing(
  equations: readonly Equation[],
  unknowns: readonly number[],
  { columns, shares }: Basis,
): Map<number, number> {
  const solved = new Map<number, number>();
  const values = equations.map(({ value }) => value);
  for (let index = unknowns.length - 1; index >= 0; index -= 1) {
    let value = dot(columns[index] ?? [], values);
    for (let later = index + 1; later < unknowns.length; later += 1) {
      value -= (shares[later]?.[index] ?? 0) * (solved.get(unknowns[later] ?? -1) ?? 0);
    }
    solved.set(unknowns[index] ?? -1, value / (shares[index]?.[index] ?? 1));
  }
  const agree = equations.every(({ factors, value }) => {
    let sum = 0;
    for (const [unknown, solution] of solved) sum += (factors[unknown] ?? 0) * solution;
    return Math.abs(sum - value) <= tolerance * Math.max(1, Math.abs(value));
  });
  return agree ? solved : new Map();
}

/**
 * The unknowns that the equations tell, by their place in the factors. One that cannot be told apart
 * from others is left out with all the equations in which it stands.
 */
export function solve(equations: readonly Equation[], count: number): Map<number, number> {
  let unknowns = Array.from({ length: count }, (_, index) => index);
  let left = equations;
  for (;;) {
    unknowns = unknowns.filter((unknown) => left.some(({ factors }) => factors[unknown]));
    if (unknowns.length === 0) return new Map();
    const columns = unknowns.map((unknown) => left.map(({ factors }) => factors[unknown] ?? 0));
    const basis = orthonormal(columns);
    if (typeof basis !== 'number') return solveAgreeing(left, unknowns, basis);
    const [dependent = -1] = unknowns.splice(basis, 1);
    left = left.filter(({ factors }) => !factors[dependent]);
  }
}
