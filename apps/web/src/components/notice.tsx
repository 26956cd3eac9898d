import { Box, Text, type BoxProps, type ElementProps, type TextProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import classes from './notice.module.css';
import { Link } from 'react-router';
import { EXPIRED_MESSAGE } from '../session/account.ts';
import { AuthenticationCancelled } from '../session/recent-authentication.ts';
import { adviceFor, messageOf } from './notify.ts';

interface NoticeProps extends Omit<BoxProps, 'className'>, ElementProps<'div', keyof BoxProps> {
  /** 'plain' is neutral, 'quiet' has no frame. */
  tone: 'accent' | 'warning' | 'success' | 'danger' | 'plain' | 'quiet';
  icon?: Icon;
  /** Whether it is announced: immediately, or when the screen reader is idle. */
  live?: 'alert' | 'status';
  centered?: boolean;
  ref?: Ref<HTMLDivElement>;
}

export const Notice = ({ tone, icon: Symbol, live, centered, children, ...box }: NoticeProps) => (
  <Box
    className={classes.notice ?? ''}
    role={live}
    data-tone={tone}
    data-centered={centered || undefined}
    {...box}
  >
    {Symbol && <Symbol size={17} stroke={1.8} aria-hidden="true" />}
    <div>{children}</div>
  </Box>
);

/** An error message, announced immediately. Not shown if it is empty. */
export const ErrorText = ({
  children,
  ...text
}: TextProps & { id?: string; children: ReactNode }) =>
  children ? (
    <Text size="sm" c="red" role="alert" {...text}>
      {children}
    </Text>
  ) : null;

export const ExpiredNote = ({ plans }: { plans: string }) => (
  <Notice tone="danger" live="alert">
    {EXPIRED_MESSAGE} <Link to={plans}>See the plans</Link>
  </Notice>
);

interface FailureNoteProps {
  title: string;
  error: unknown;
  advice?: string;
}

export function FailureNote({ title, error, advice = adviceFor(error) }: FailureNoteProps) {
  // The user cancelled the authentication and knows that nothing was done.
  if (error === null || error instanceof AuthenticationCancelled) return null;
  return (
    <Notice tone="danger" mt={16} live="alert">
      <strong>{title}</strong> {messageOf(error)} <span>{advice}</span>
    </Notice>
  );
}
