import { Drawer } from '@mantine/core';
import { useState } from 'react';
import { titleOf, type Viewed } from '../../../artifacts/evidence.ts';
import Evidence, { type EvidenceProps } from './evidence.tsx';
import classes from './evidence-sheet.module.css';

interface EvidenceSheetProps extends Omit<EvidenceProps, 'viewed'> {
  /** Null while the sheet is closed. */
  viewed: Viewed | null;
  /** Called once the sheet has gone from the screen. */
  onClosed: () => void;
}

/** The evidence above the page, where there is no room beside it. */
export default function EvidenceSheet({ viewed, onClosed, ...props }: EvidenceSheetProps) {
  // What was shown last stays in the sheet while it slides out.
  const [last, setLast] = useState(viewed);
  if (viewed && viewed !== last) setLast(viewed);
  const shown = viewed ?? last;
  return (
    <Drawer.Root
      opened={viewed !== null}
      onClose={props.onClose}
      onExitTransitionEnd={onClosed}
      position="right"
      size={920}
      // Above the list of files that it may have been opened from.
      zIndex={250}
      transitionProps={{ duration: 200 }}
      classNames={{ content: classes.content }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label={shown ? titleOf(shown) : 'Source'} data-evidence>
        {shown && <Evidence {...props} viewed={shown} />}
      </Drawer.Content>
    </Drawer.Root>
  );
}
