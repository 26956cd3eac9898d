import { Box, Group, Text } from '@mantine/core';

interface StepProgressProps {
  /** The question that is being asked, counted from 1. */
  step: number;
  of: number;
}

/** How far somebody is: in words, and as one dash for each question. */
export function StepProgress({ step, of }: StepProgressProps) {
  const words = `Question ${step} of ${of}`;
  return (
    <Group gap={16} mb={24} wrap="nowrap">
      <Text flex="none" fz="sm" c="dimmed" aria-live="polite">
        {words}
      </Text>
      <progress
        className="eg-visually-hidden"
        aria-label="Progress through the questions"
        aria-valuetext={words}
        value={step}
        max={of}
      />
      <Group flex={1} gap={6} wrap="nowrap" aria-hidden="true">
        {Array.from({ length: of }, (_, index) => (
          <Box
            key={index}
            flex={1}
            h={4}
            bdrs={2}
            bg={index < step ? 'var(--eg-accent)' : 'var(--eg-line)'}
          />
        ))}
      </Group>
    </Group>
  );
}
