import { Box, type BoxProps, type ElementProps } from '@mantine/core';
import { Children } from 'react';
import classes from './prose.module.css';

interface ProseProps extends BoxProps, ElementProps<'div', keyof BoxProps> {
  size?: 'sm' | 'md' | 'lg';
  component?: 'div' | 'article';
}

export const Prose = ({ size = 'md', ...box }: ProseProps) => (
  <Box className={classes.prose} data-size={size} {...box} />
);

export const RawText = ({ children }: { children: string }) => (
  <Prose size="lg" style={{ whiteSpace: 'pre-line' }}>
    {Children.map(children.trim().split(/\n{2,}/u), (text) => (
      <p>{text}</p>
    ))}
  </Prose>
);
