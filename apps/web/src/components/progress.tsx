import { Progress as Bar, Group, Stack, type ProgressProps as BarProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface ProgressProps extends Omit<BarProps, 'value'> {
  /** What it measures, for those who do not see the bar. */
  label: string;
  /** From 0 to 1. */
  share: number;
  /** Stands above the bar, on the left. */
  words?: ReactNode;
  /** Stands above the bar, on the right. */
  aside?: ReactNode;
}

/** How much of something is done or used: a bar, and what is to be said of it. */
export function Progress({ label, share, words, aside, ...bar }: ProgressProps) {
  // A tiny share would be written as a power of ten, which is no number to a screen reader.
  const value = Math.round(Math.min(Math.max(share, 0), 1) * 100);
  const shown = <Bar value={value} aria-label={label} {...bar} />;
  if (!words) return shown;
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="4px 12px" fz="sm">
        <span>{words}</span>
        {aside && <span>{aside}</span>}
      </Group>
      {shown}
    </Stack>
  );
}
