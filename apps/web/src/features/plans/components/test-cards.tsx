import { Box, Button, Group, Text } from '@mantine/core';
import { testCards } from '../card.ts';

/** The cards that the sandbox knows, each to be filled in by one tap. */
export function TestCards({ onUse }: { onUse: (cardNumber: string) => void }) {
  return (
    <Box component="section" mb={20} aria-label="Test cards">
      <Text component="h2" size="xs" mb={4} c="dimmed" fw={600} lts={0}>
        Test cards
      </Text>
      <ul>
        {testCards.map(({ cardNumber, outcome }) => (
          <Group
            component="li"
            key={cardNumber}
            justify="space-between"
            wrap="nowrap"
            gap={12}
            py={6}
          >
            <Text span size="sm" c="dimmed">
              <Text span inherit c="var(--eg-ink)" fw={550}>
                {cardNumber}
              </Text>{' '}
              {outcome}
            </Text>
            <Button
              variant="light"
              size="xs"
              aria-label={`Use the card that ${outcome}`}
              onClick={() => onUse(cardNumber)}
            >
              Use
            </Button>
          </Group>
        ))}
      </ul>
    </Box>
  );
}
