import { Box } from '@mantine/core';
import { fileLook } from '../artifacts/file-types.ts';
import classes from './file-type-icon.module.css';

const iconColors: Record<string, string> = {
  pdf: '#d0433c',
  document: '#2b66c9',
  book: '#2b66c9',
  spreadsheet: '#1c7d4f',
  slides: '#bf4f1d',
  calendar: '#bf4f1d',
  image: '#7a4bc4',
  audio: '#a8571b',
  video: '#b03070',
  archive: '#6b5d3a',
  web: '#1f7286',
  mail: '#1f7286',
  contact: '#1f7286',
};

/** A decorative label with the file's type, beside the file's name. */
export function FileTypeIcon(props: { fileName?: string; fileType?: string }) {
  const { kind, label } = fileLook(props);
  return (
    <Box
      component="span"
      className={classes.icon ?? ''}
      bg={iconColors[kind] ?? '#62626e'}
      data-long={label.length > 3 || undefined}
      aria-hidden="true"
    >
      {label}
    </Box>
  );
}
