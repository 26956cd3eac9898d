import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { card } from './card.ts';
import classes from './landing.module.css';

/** The page's last word. */
export function TryIt({ onTry }: { onTry: () => void }) {
  return (
    <Paper
      component="section"
      {...card}
      className={classes.last}
      bg="radial-gradient(140% 160% at 0% 0%, #7a6af6, #5746d9 35%, #231a6b)"
      c="white"
      aria-labelledby="try-heading"
    >
      <Group justify="space-between" gap="28px 56px">
        <Box flex="1 1 320px">
          <h2 id="try-heading" className={classes.heading}>
            Ask your AI Brain anything
          </h2>
          <Text mt={12} fz={16}>
            Upload a file, and ask about it a few seconds later.
          </Text>
        </Box>
        {/* White in both schemes, as its card is dark in both. */}
        <Button variant="white" color="#4837c4" size="md" h={48} miw={128} fw={650} onClick={onTry}>
          TRY
        </Button>
      </Group>
    </Paper>
  );
}
