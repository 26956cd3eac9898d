import { ActionIcon, Box } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { copyText } from '../../../browser/copy-text.ts';

interface CodeBlockProps {
  code: string;
  /** What is copied, for a screen reader, such as 'Upload files in curl'. */
  label: string;
}

/** Code to be read, and copied by its button. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <Box pos="relative" mb={16}>
      {/* Long lines are moved sideways, by the keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
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
