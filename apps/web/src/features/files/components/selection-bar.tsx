import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { plural } from '../../../lib/format.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  /** Files that are selected. */
  count: number;
  /** Files that could be selected, on all pages. */
  total: number;
  /** Whether all files of the shown page are selected. */
  wholePage: boolean;
  onSelectEverything: () => void;
  onClear: () => void;
  onDelete: () => void;
}

/** How many files are selected, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, total, wholePage, onSelectEverything, onClear, onDelete } = props;
  return (
    <section className={classes.bar} aria-label="Selected files">
      <output className={classes.count}>{plural(count, 'file')} selected</output>
      {wholePage && count < total && (
        <Button variant="subtle" size="compact-sm" onClick={onSelectEverything}>
          Select all {total.toLocaleString('en-US')}
        </Button>
      )}
      <span className={classes.actions}>
        <Button variant="default" size="xs" onClick={onClear}>
          Clear
        </Button>
        <Button
          variant="light"
          color="red"
          size="xs"
          leftSection={<IconTrash size={15} stroke={1.8} />}
          onClick={onDelete}
        >
          Delete
        </Button>
      </span>
    </section>
  );
}
