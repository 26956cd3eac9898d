import { Box, type BoxProps, type ElementProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { Ref } from 'react';
import classes from './notice.module.css';

interface NoticeProps extends Omit<BoxProps, 'className'>, ElementProps<'div', keyof BoxProps> {
  /** How bad or good the news is; 'plain' is neither, 'quiet' has no frame. */
  tone: 'accent' | 'warning' | 'success' | 'danger' | 'plain' | 'quiet';
  icon?: Icon;
  /** Whether it is read out when it comes: at once, or when there is time. */
  live?: 'alert' | 'status';
  centered?: boolean;
  ref?: Ref<HTMLDivElement>;
}

/** A sentence or two about how things stand, where they stand so. */
export const Notice = ({ tone, icon: Symbol, live, centered, children, ...box }: NoticeProps) => (
  <Box
    className={classes.notice ?? ''}
    role={live}
    data-tone={tone}
    data-centered={centered || undefined}
    {...box}
  >
    {Symbol && <Symbol size={17} stroke={1.8} aria-hidden="true" />}
    <div>{children}</div>
  </Box>
);
