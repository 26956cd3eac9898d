import { expect, test } from 'vitest';
import { createReadingProgress } from '../reading-progress.ts';

function watch(options: { mayWant: boolean; from?: number }, stepMs = 1000) {
  let at = 0;
  const told: number[] = [];
  const progress = createReadingProgress(
    options,
    () => (at += stepMs),
    (percent) => told.push(percent),
  );
  return { progress, told };
}

test('the stages of a scan follow each other up to the end', () => {
  const { progress, told } = watch({ mayWant: true });
  progress.reading(50);
  progress.reading(100);
  for (const done of [0, 1, 2, 3, 4]) progress.recognition(done / 4);
  progress.assembly(100);
  expect(told).toEqual([10, 20, 38, 57, 76, 95, 100]);
});

test('a file that is all text goes from nothing to the end in one reading', () => {
  const { progress, told } = watch({ mayWant: false });
  for (const percent of [25, 50, 100]) progress.reading(percent);
  expect(told).toEqual([25, 50, 100]);
});

test('it never goes back, neither in a second round nor in a second try', () => {
  const { progress, told } = watch({ mayWant: true, from: 40 });
  progress.recognition(0);
  progress.recognition(0.5);
  progress.recognition(0.1);
  progress.recognition(2);
  expect(told).toEqual([57, 95]);
});

test('steps that follow each other quickly are reported twice a second', () => {
  const { progress, told } = watch({ mayWant: false }, 100);
  for (let percent = 1; percent <= 20; percent += 1) progress.reading(percent);
  expect(told).toEqual([5, 10, 15, 20]);
});
