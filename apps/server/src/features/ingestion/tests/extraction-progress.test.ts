import { expect, test } from 'vitest';
import { createExtractionProgress } from '../extraction-progress.ts';

function watch(options: { mayNeedRecognition: boolean; from?: number }, stepMs = 1000) {
  let at = 0;
  const reports: number[] = [];
  const progress = createExtractionProgress(
    options,
    () => (at += stepMs),
    (percent) => reports.push(percent),
  );
  return { progress, reports };
}

test('the progress of a scan covers all stages up to the end', () => {
  const { progress, reports } = watch({ mayNeedRecognition: true });
  progress.firstExtraction(50);
  progress.firstExtraction(100);
  for (const done of [0, 1, 2, 3, 4]) progress.recognition(done / 4);
  progress.finalExtraction(100);
  expect(reports).toEqual([10, 20, 38, 57, 76, 95, 100]);
});

test('the progress of a plain text file covers one extraction', () => {
  const { progress, reports } = watch({ mayNeedRecognition: false });
  for (const percent of [25, 50, 100]) progress.firstExtraction(percent);
  expect(reports).toEqual([25, 50, 100]);
});

test('progress never decreases, neither in a second round nor in a second attempt', () => {
  const { progress, reports } = watch({ mayNeedRecognition: true, from: 40 });
  progress.recognition(0);
  progress.recognition(0.5);
  progress.recognition(0.1);
  progress.recognition(2);
  expect(reports).toEqual([57, 95]);
});

test('frequent steps are reported twice a second', () => {
  const { progress, reports } = watch({ mayNeedRecognition: false }, 100);
  for (let percent = 1; percent <= 20; percent += 1) progress.firstExtraction(percent);
  expect(reports).toEqual([5, 10, 15, 20]);
});
