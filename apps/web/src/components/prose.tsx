import { Box, type BoxProps, type ElementProps } from '@mantine/core';
import classes from './prose.module.css';

interface ProseProps extends BoxProps, ElementProps<'div', keyof BoxProps> {
  /** Small in a dialog, large where the text is what the page is for. */
  size?: 'sm' | 'md' | 'lg';
  component?: 'div' | 'article';
}

/** Running text: paragraphs, headings, lists, links and code, all set alike. */
export const Prose = ({ size = 'md', ...box }: ProseProps) => (
  <Box className={classes.prose} data-size={size} {...box} />
);
