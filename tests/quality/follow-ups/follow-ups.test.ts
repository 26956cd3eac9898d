import { expect, test } from 'vitest';
import { useTestApp } from '../../../apps/server/src/tests/use-app.test-setup.ts';
import { measureFollowUps } from './follow-ups.ts';

const engram = useTestApp({ env: { ENGRAM_LIMITS: 'off' } });

// The floor may only rise.
test('a follow-up question is answered in the context of the conversation', async () => {
  const user = await engram.signIn('follow-ups@example.org');
  const outcomes = await measureFollowUps(user, engram.settled);
  const share = (key: 'followed' | 'alone'): number =>
    outcomes.filter((outcome) => outcome[key]).length / outcomes.length;
  process.stdout.write(
    `${outcomes.length} follow-ups answered: ${share('followed').toFixed(2)}, on their own ${share('alone').toFixed(2)}\n`,
  );
  for (const { question, followed, answer } of outcomes) {
    if (!followed) process.stdout.write(`  ${question}\n    ${answer.split('\n')[0] ?? ''}\n`);
  }
  expect(share('followed')).toBeGreaterThanOrEqual(0.95);
});
