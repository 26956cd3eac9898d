import { Progress as Bar, Group, Stack, type ProgressProps as BarProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface ProgressProps extends Omit<BarProps, 'value'> {
  label: string;
  share: number;
  words?: ReactNode;
  aside?: ReactNode;
}

export function Progress({ label, share, words, aside, ...bar }: ProgressProps) {
  // Screen readers cannot read a tiny value, which would be in exponential notation.
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
