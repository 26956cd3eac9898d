import { Box, Group, Text, type BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './pairs.module.css';

interface PairsProps extends Pick<BoxProps, 'mb' | 'px'> {
  pairs: readonly { label: string; value: ReactNode; strong?: boolean }[];
  lined?: boolean;
}

export const Pairs = ({ pairs, lined = false, ...props }: PairsProps) => (
  <Box component="dl" className={classes.pairs ?? ''} data-lined={lined || undefined} {...props}>
    {pairs.map(({ label, value, strong = false }) => {
      const words = { size: strong ? 'md' : 'sm', ...(strong ? { fw: 650 } : {}) };
      return (
        <Group
          key={label}
          justify="space-between"
          align="start"
          wrap="nowrap"
          gap={16}
          py={lined ? 9 : 5}
        >
          <Text component="dt" {...words} {...(strong ? {} : { c: 'dimmed' })}>
            {label}
          </Text>
          <Text component="dd" ta="right" fw={lined ? 600 : 400} {...words}>
            {value}
          </Text>
        </Group>
      );
    })}
  </Box>
);
