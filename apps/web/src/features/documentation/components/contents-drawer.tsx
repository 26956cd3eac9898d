import { Drawer, type DrawerProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { Contents, type ContentsProps } from './contents.tsx';

export default function ContentsDrawer({
  opened,
  onClose,
  ...contents
}: ContentsProps & Pick<DrawerProps, 'opened' | 'onClose'>) {
  return (
    <Drawer opened={useMounted() && opened} onClose={onClose} title="Contents" size={300}>
      <Contents {...contents} />
    </Drawer>
  );
}
