import { ActionIcon, Box, Center, Group, Text } from '@mantine/core';
import { IconCopy, IconLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { copyText } from '../../../components/notify.ts';
import classes from './documentation.module.css';

interface LinkedSectionProps {
  id: string;
  title: string;
  level: 2 | 3;
  children: ReactNode;
}

export function LinkedSection({ id, title, level, children }: LinkedSectionProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={classes.section} id={id} data-level={level} aria-labelledby={`${id}-title`}>
      <Group gap={6} mb={8} wrap="nowrap">
        <Text
          component={Heading}
          id={`${id}-title`}
          fz={level === 2 ? 21 : 16.5}
          fw={650}
          lh={1.35}
          tabIndex={-1}
          data-section-heading
        >
          {title}
        </Text>
        <Center
          component="a"
          w={28}
          h={28}
          bdrs={7}
          c="var(--eg-ink-faint)"
          href={`#${id}`}
          aria-label={`Link to ${title}`}
        >
          <IconLink size={16} stroke={1.8} aria-hidden="true" />
        </Center>
      </Group>
      {children}
    </section>
  );
}

interface CodeBlockProps {
  code: string;
  /** Names the code for screen readers, such as 'Upload files in curl'. */
  label: string;
}

export const CodeBlock = ({ code, label }: CodeBlockProps) => (
  <Box pos="relative" mb={16}>
    {/* Focusable, so that the keyboard can scroll long lines. */}
    <Box component="pre" m={0} pr={56} bg="var(--eg-surface)" tabIndex={0}>
      <code>{code}</code>
    </Box>
    {/* The tooltip of an IconButton would exceed this page's script budget. */}
    <ActionIcon
      pos="absolute"
      top={8}
      right={8}
      variant="default"
      size={32}
      aria-label={`Copy: ${label}`}
      onClick={() =>
        void copyText(code, { done: 'The code is copied.', failed: 'The code was not copied' })
      }
    >
      <IconCopy size={16} stroke={1.8} aria-hidden="true" />
    </ActionIcon>
  </Box>
);
