import { Center, Group, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './documentation.module.css';

interface SectionProps {
  id: string;
  title: string;
  /** 2 for a section, 3 for what stands in one. */
  level?: 2 | 3;
  children?: ReactNode;
}

/** A section with its heading, which the address can name. */
export function Section({ id, title, level = 2, children }: SectionProps) {
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
