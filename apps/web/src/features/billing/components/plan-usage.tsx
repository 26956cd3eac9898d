import type { Metrics } from '@engram/contract';
import { Box, Group, Text } from '@mantine/core';
import { Progress } from '../../../components/progress.tsx';
import { formatGigabytes, FREE_PLAN } from '../../../format/plan-name.ts';

/** The share of a limit from which on its bar warns. */
const NEARLY = 0.8;

interface MeterProps {
  label: string;
  used: number;
  /** 0 where there is none. */
  limit: number;
  show: (amount: number) => string;
  /** Whether something happens when it is used up. */
  enforced: boolean;
}

function colorOf(share: number, enforced: boolean): string {
  if (!enforced || share < NEARLY) return 'var(--eg-accent)';
  return share >= 1 ? 'var(--eg-danger)' : 'yellow.6';
}

/** How much of a limit is used; it warns of nothing where nothing happens. */
function Meter({ label, used, limit, show, enforced }: MeterProps) {
  const share = limit > 0 ? used / limit : 0;
  const color = colorOf(share, enforced);
  const amount = `of ${show(limit)}`;
  const words = (
    <Text span inherit c="dimmed">
      {label}
    </Text>
  );
  const usedWords = (
    <Text span inherit c="var(--eg-ink)" fw={600}>
      {show(used)}
    </Text>
  );
  return (
    <Box component="li" flex="1 1 220px">
      {limit > 0 ? (
        <Progress
          label={`${label}: ${show(used)} ${amount}`}
          share={share}
          size={6}
          color={color}
          words={words}
          aside={
            <Text span inherit c="dimmed">
              {usedWords} {amount}
            </Text>
          }
        />
      ) : (
        <Group justify="space-between" gap="4px 12px" fz="sm">
          {words}
          {usedWords}
        </Group>
      )}
    </Box>
  );
}

const count = (questions: number): string => questions.toLocaleString('en-US');

/** What of the plan is used, and whether anything happens when it is used up. */
export function PlanUsage({ metrics }: { metrics: Metrics }) {
  const isFree = metrics.plan === FREE_PLAN;
  return (
    <>
      <Group component="ul" gap="20px 32px">
        <Meter
          label="Questions today"
          used={metrics.daily_queries_used}
          limit={metrics.daily_query_limit}
          show={count}
          enforced={metrics.enforced}
        />
        <Meter
          label="Questions this week"
          used={metrics.weekly_queries_used}
          limit={metrics.weekly_query_limit}
          show={count}
          enforced={metrics.enforced}
        />
        <Meter
          label="Questions this month"
          used={metrics.monthly_queries_used}
          limit={metrics.monthly_query_limit}
          show={count}
          enforced={metrics.enforced}
        />
        <Meter
          label="Storage"
          used={isFree ? metrics.weekly_file_size : metrics.yearly_file_size}
          limit={isFree ? metrics.weekly_file_size_limit : metrics.yearly_file_size_limit}
          show={formatGigabytes}
          enforced={metrics.enforced}
        />
      </Group>
      <Text maw="68ch" mt={20} size="sm" c="dimmed">
        {metrics.enforced
          ? 'This server enforces these limits. Where one is used up, each further question takes a credit. Days, weeks and months are counted in UTC.'
          : 'This server only shows your use: the limits are not enforced, and nothing stops when one is reached.'}
      </Text>
    </>
  );
}
