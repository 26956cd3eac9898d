import { Drawer } from '@mantine/core';
import { useState } from 'react';
import {
  closeEvidence,
  returnFocus,
  titleOf,
  type EvidenceView,
} from '../../../artifacts/evidence.ts';
import Evidence from './source-viewer.tsx';
import classes from './evidence-sheet.module.css';

interface EvidenceSheetProps {
  opened: boolean;
  viewed: EvidenceView | null;
}

export default function EvidenceSheet({ opened, viewed }: EvidenceSheetProps) {
  // The last content stays while the sheet closes.
  const [last, setLast] = useState(viewed);
  if (viewed && viewed !== last) setLast(viewed);
  const shown = viewed ?? last;
  return (
    <Drawer.Root
      opened={opened}
      onClose={closeEvidence}
      onExitTransitionEnd={returnFocus}
      position="right"
      size={920}
      // Above the list of files, which may have opened it.
      zIndex={250}
      transitionProps={{ duration: 200 }}
      classNames={{ content: classes.content }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label={shown ? titleOf(shown) : 'Source'} data-evidence>
        {shown && <Evidence viewed={shown} />}
      </Drawer.Content>
    </Drawer.Root>
  );
}
