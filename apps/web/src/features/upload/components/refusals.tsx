import { Box, CloseButton, Stack, Text } from '@mantine/core';
import { refusalAdvice, refusalHeadings, type Refusal, type RefusalKind } from '../file-rules.ts';

interface RefusalsProps {
  refusals: readonly Refusal[];
  onDismiss: () => void;
}

/** Files that were chosen but cannot be taken, by reason. */
export function Refusals({ refusals, onDismiss }: RefusalsProps) {
  const kinds = (Object.keys(refusalHeadings) as RefusalKind[]).filter((kind) =>
    refusals.some((refusal) => refusal.kind === kind),
  );
  if (kinds.length === 0) return null;
  return (
    <Stack
      gap={8}
      pos="relative"
      py={12}
      pl={14}
      pr={40}
      bdrs="var(--eg-radius-small)"
      bg="var(--eg-danger-soft)"
      fz="sm"
      role="alert"
    >
      <CloseButton
        pos="absolute"
        top={8}
        right={8}
        size="sm"
        aria-label="Dismiss"
        onClick={onDismiss}
      />
      {kinds.map((kind) => (
        <div key={kind}>
          <Text span inherit fw={600} c="red">
            {refusalHeadings[kind]}
          </Text>
          <Text inherit c="dimmed">
            {refusalAdvice[kind]}
          </Text>
          <Box component="ul" mt={2} mah={160} c="dimmed" style={{ overflowY: 'auto' }}>
            {refusals
              .filter((refusal) => refusal.kind === kind)
              .map((refusal) => (
                <li key={refusal.id}>{refusal.message}</li>
              ))}
          </Box>
        </div>
      ))}
    </Stack>
  );
}
