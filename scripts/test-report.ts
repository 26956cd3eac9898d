import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Tests of a run, or of a part of it. */
export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

/** What a run of the tests came to. */
export interface TestTotals {
  /** Of the files in which nothing went wrong. */
  good: TestCount;
  /** Of the other files. */
  bad: TestCount;
  /**
   * Files in which something went wrong: a test or a hook failed, the process died, or something
   * failed that nobody waited for.
   */
  badFiles: string[];
  /** Whether something went wrong that belongs to no file. */
  otherErrors: boolean;
}

/** Where the totals are to be written. */
export const REPORT_VARIABLE = 'ENGRAM_TEST_REPORT';

const isDeath = ({ message }: SerializedError): boolean => message.startsWith('[vitest-pool]');

/** A file whose process is gone has neither passed nor failed. */
const hasEnded = (module: TestModule): boolean =>
  module.state() === 'passed' || module.state() === 'skipped';

function countTests(modules: readonly TestModule[]): TestCount {
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  );
  const count = (state: string) => states.filter((found) => found === state).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** Counts a run, and tells the files in which something went wrong from the others. */
export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const strays = errors.filter((error) => !isDeath(error));
    const places = strays.map((error): unknown => error['VITEST_TEST_PATH']);
    const isBad = (module: TestModule) => !hasEnded(module) || places.includes(module.moduleId);
    const bad = modules.filter(isBad);
    const totals: TestTotals = {
      good: countTests(modules.filter((module) => !isBad(module))),
      bad: countTests(bad),
      badFiles: bad.map(({ moduleId }) => moduleId),
      otherErrors: places.some((place) => !bad.some(({ moduleId }) => moduleId === place)),
    };
    const file = process.env[REPORT_VARIABLE];
    if (file) writeFileSync(file, JSON.stringify(totals));
  }
}
