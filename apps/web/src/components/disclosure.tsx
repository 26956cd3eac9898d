import { Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import classes from './disclosure.module.css';

interface DisclosureProps {
  label: string;
  note: string;
  children: ReactNode;
}

/** A line that expands. Its content is rendered only while it is open. */
export function Disclosure({ label, note, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={classes.disclosure}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={classes.summary}>
        <IconChevronRight size={16} stroke={2} aria-hidden="true" />
        {label}
        <Text span ml="auto" size="sm" flex="none" fw={400}>
          {note}
        </Text>
      </summary>
      {open && children}
    </details>
  );
}
