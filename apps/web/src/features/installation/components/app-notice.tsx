import { Group, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './app-notice.module.css';

interface AppNoticeProps {
  icon: Icon;
  children: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
}

/** One line about the app itself, at the foot of the window. */
export function AppNotice({ icon: NoticeIcon, children, actions }: AppNoticeProps) {
  return (
    <div className={classes.notice}>
      <NoticeIcon className={classes.icon} size={18} stroke={1.7} aria-hidden="true" />
      <Text miw={0} pr={8} lh={1.4}>
        {children}
      </Text>
      {actions && (
        <Group flex="none" ml="auto" gap={4} wrap="nowrap" align="stretch">
          {actions}
        </Group>
      )}
    </div>
  );
}
