import { Drawer } from '@mantine/core';
import { useOpened } from '../../../browser/use-opened.ts';
import { ContentsList, type ContentsListProps } from './contents-list.tsx';

interface ContentsDrawerProps extends ContentsListProps {
  opened: boolean;
  onClose: () => void;
}

/** The table of contents on narrow screens, fetched when it is first opened. */
export default function ContentsDrawer({ opened, onClose, ...list }: ContentsDrawerProps) {
  return (
    <Drawer opened={useOpened(opened)} onClose={onClose} title="Contents" size={300}>
      <ContentsList {...list} />
    </Drawer>
  );
}
