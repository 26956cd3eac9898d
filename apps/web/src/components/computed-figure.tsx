import type { ComputedFigure as Computed } from '@engram/contract';
import { figureWords } from '@engram/contract/browser';
import { Group, Stack, Text } from '@mantine/core';
import { IconMathFunction } from '@tabler/icons-react';
import type { LeadValue } from './lead-value.ts';

interface ComputedFigureProps {
  computed: Computed;
  /** The figure as the answer writes it, with its unit; without it the bare number is shown. */
  lead: LeadValue | null;
  /** How many places the answer cites. */
  cited: number;
}

/** A computed figure, and what it was computed from: every row of it is cited or counted. */
export function ComputedFigure({ computed, lead, cited }: ComputedFigureProps) {
  const some = cited > 0 && cited < computed.rows;
  return (
    <Stack component="figure" gap={4} mb={18}>
      <Text fz="clamp(26px, 5vw, 34px)" fw={650} lts="-0.02em" lh={1.2}>
        {lead?.value ?? computed.value.toLocaleString('en-US', { maximumFractionDigits: 2 })}
      </Text>
      <Stack component="figcaption" gap={2} lh={1.5}>
        {lead?.of && <Text c="dimmed">{lead.of}</Text>}
        <Group component="p" gap={7} wrap="nowrap" fz="sm" c="dimmed">
          <IconMathFunction size={16} stroke={1.8} aria-hidden="true" />
          <span>
            {figureWords(computed)}
            {some && `, ${cited} of them cited below`}
          </span>
        </Group>
      </Stack>
    </Stack>
  );
}
