import { array, assert, double, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solve } from './least-squares.ts';

describe('solving equations', () => {
  it('tells every unknown that it answers, whatever depends on what', () => {
    const factor = integer({ min: 0, max: 4 }).map((value) => value / 2);
    assert(
      property(
        array(double({ min: 0.1, max: 12, noNaN: true }), { minLength: 1, maxLength: 6 }),
        array(array(factor, { minLength: 6, maxLength: 6 }), { maxLength: 30 }),
        (unknowns, rows) => {
          const equations = rows.map((factors) => ({
            factors,
            // What the engine answers is rounded to a 32-bit float.
            value: Math.fround(
              unknowns.reduce((sum, unknown, index) => sum + unknown * (factors[index] ?? 0), 0),
            ),
          }));
          const solved = solve(equations, unknowns.length);
          for (const [index, value] of solved) expect(value).toBeCloseTo(unknowns[index] ?? NaN, 3);
        },
      ),
    );
  });

  it('tells all of them from rows that tell them apart', () => {
    const equations = [
      { factors: [1, 1, 0], value: 5 },
      { factors: [1, 2, 0], value: 8 },
      { factors: [0, 1, 1], value: 4 },
    ];
    expect([...solve(equations, 3).values()].map(Math.round).toSorted()).toEqual([1, 2, 3]);
  });

  it('leaves out what cannot be told apart, and what no equation names', () => {
    const equations = [
      { factors: [1, 1, 0, 0], value: 5 },
      { factors: [2, 2, 0, 0], value: 10 },
      { factors: [0, 0, 2, 0], value: 6 },
    ];
    expect(solve(equations, 4)).toEqual(new Map([[2, 3]]));
  });

  it('answers nothing where the equations contradict each other', () => {
    const equations = [
      { factors: [1], value: 5 },
      { factors: [1], value: 6 },
    ];
    expect(solve(equations, 1)).toEqual(new Map());
  });
});
