import {
  API_KEY_HEADER,
  API_KEY_LIMIT,
  KEYWORD_LIMIT,
  listTypes,
  mediaTypesText,
  QUESTION_LIMIT,
  TEXT_WORD_LIMIT,
} from '@engram/contract/browser';
import { useAppSettings } from '../../../api/settings.ts';
import { AppText } from '../../../components/app-text.tsx';
import { sections } from '../contents.ts';
import sectionTexts from '../texts.md?raw';
import { Center, Group, Text, ActionIcon, Box } from '@mantine/core';
import { IconLink, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './documentation.module.css';
import { copyText } from '../../../components/notify.ts';

interface SectionProps {
  id: string;
  title: string;
  /** 2 for a section, 3 for a subsection. */
  level?: 2 | 3;
  children?: ReactNode;
}

/** A section with a heading that can be linked to. */
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

/** The texts of sections by their id: each part of texts.md begins with `# id`. */
const texts = new Map(
  sectionTexts.split(/^# /mu).map((part): [id: string, text: string] => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end)];
  }),
);

/** A section with its title from the contents and its text from texts.md. */
export function TextSection({ id, children, level = 2 }: Omit<SectionProps, 'title'>) {
  const { mediaLimitMb, uploadLimitMb } = useAppSettings();
  const values = {
    mediaTypes: mediaTypesText,
    mediaLimitMb,
    uploadLimitMb,
    textWordLimit: TEXT_WORD_LIMIT,
    types: listTypes(),
    questionLimit: QUESTION_LIMIT,
    keywordLimit: KEYWORD_LIMIT,
    apiKeyHeader: API_KEY_HEADER,
    apiKeyLimit: API_KEY_LIMIT,
  };
  const title = sections.find((section) => section.id === id)?.title ?? '';
  return (
    <Section id={id} title={title} level={level}>
      <AppText values={values}>{texts.get(id) ?? ''}</AppText>
      {children}
    </Section>
  );
}

interface CodeBlockProps {
  code: string;
  /** What is copied, for screen readers, such as 'Upload files in curl'. */
  label: string;
}

/** A code block with a copy button. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <Box pos="relative" mb={16}>
      {/* Focusable, so that the keyboard can scroll long lines. */}
      <Box component="pre" m={0} pr={56} bg="var(--eg-surface)" tabIndex={0}>
        <code>{code}</code>
      </Box>
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
        <IconCopy size={16} stroke={1.8} />
      </ActionIcon>
    </Box>
  );
}
