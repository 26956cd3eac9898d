import { Box, type BoxProps } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import classes from './notice.module.css';

interface NoticeProps extends Pick<BoxProps, 'mt' | 'mb'> {
  tone: 'quiet' | 'warning' | 'danger';
  /** Read out as soon as it is there. */
  role?: 'alert';
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A sentence or two that stand out from the page they are about. */
export const Notice = ({ tone, ...props }: NoticeProps) => (
  <Box className={classes.notice ?? ''} data-tone={tone} {...props} />
);
