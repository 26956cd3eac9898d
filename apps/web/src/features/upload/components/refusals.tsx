import { Box, CloseButton, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { notifyError } from '../../../components/notify.ts';
import { TextButton } from '../../../components/text-button.tsx';
import { refusalAdvice, refusalHeadings, type Refusal, type RefusalKind } from '../file-rules.ts';
import { canShrink } from '../shrink-image.ts';

interface RefusalsProps {
  refusals: readonly Refusal[];
  /** True while anything is being sent. */
  locked: boolean;
  onDismiss: () => void;
  /** Makes a picture small enough and uploads it. */
  onShrink: (refusal: Refusal) => Promise<void>;
}

function RefusalLine({
  refusal,
  locked,
  onShrink,
}: Pick<RefusalsProps, 'locked' | 'onShrink'> & { refusal: Refusal }) {
  const shrink = useMutation({
    mutationFn: onShrink,
    onError: (error) => notifyError(`${refusal.file.name} could not be shrunk`, error),
  });
  return (
    <li>
      {refusal.message}{' '}
      {refusal.kind === 'big' && canShrink(refusal.file) && (
        <TextButton
          c="indigo"
          underline="hover"
          disabled={locked}
          onClick={() => shrink.mutate(refusal)}
        >
          Shrink and upload
        </TextButton>
      )}
    </li>
  );
}

/** Files that were chosen but cannot be taken, by reason. */
export function Refusals({ refusals, locked, onDismiss, onShrink }: RefusalsProps) {
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
                <RefusalLine key={refusal.id} {...{ refusal, locked, onShrink }} />
              ))}
          </Box>
        </div>
      ))}
    </Stack>
  );
}
