import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** What a run of the tests came to. */
export interface TestTotals {
  passed: number;
  failed: number;
  skipped: number;
  /** Files whose process died while they ran, so that it is not known whether they pass. */
  died: string[];
  /** Whether something went wrong beside the tests, such as a promise that nobody waited for. */
  otherErrors: boolean;
}

/** Where the totals are to be written. */
export const REPORT_VARIABLE = 'ENGRAM_TEST_REPORT';

const isDeath = ({ message }: SerializedError): boolean => message.startsWith('[vitest-pool]');

/** A file whose process is gone has neither passed nor failed. */
const isUnknown = (module: TestModule): boolean =>
  module.state() === 'pending' || module.state() === 'queued';

/** Counts a run, and tells a process that died from a test that failed. */
export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const died = errors.some(isDeath) ? modules.filter(isUnknown) : [];
    const states = modules.flatMap((module) =>
      died.includes(module)
        ? []
        : [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((found) => found === state).length;
    const totals: TestTotals = {
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      died: died.map(({ moduleId }) => moduleId),
      otherErrors: errors.some((error) => !isDeath(error)),
    };
    const file = process.env[REPORT_VARIABLE];
    if (file) writeFileSync(file, JSON.stringify(totals));
  }
}
