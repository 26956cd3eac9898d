import { Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { ContentsList, type ContentsListProps } from './contents-list.tsx';

interface ContentsDrawerProps extends ContentsListProps {
  opened: boolean;
  onClose: () => void;
}

/** The table of contents on narrow screens. */
export default function ContentsDrawer({ opened, onClose, ...list }: ContentsDrawerProps) {
  return (
    <Drawer opened={useMounted() && opened} onClose={onClose} title="Contents" size={300}>
      <ContentsList {...list} />
    </Drawer>
  );
}
