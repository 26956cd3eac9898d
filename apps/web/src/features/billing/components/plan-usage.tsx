import type { Metrics } from '@engram/contract';
import { Group, Stack, Text } from '@mantine/core';
import { Progress } from '../../../components/progress.tsx';
import { formatGigabytes, FREE_PLAN } from '../../../format/format.ts';

const WARNING_SHARE = 0.8;

interface Limit {
  label: string;
  used: number;
  limit: number;
  format?: (amount: number) => string;
}

const questionLimits = [
  { label: 'Questions today', period: 'daily' },
  { label: 'Questions this week', period: 'weekly' },
  { label: 'Questions this month', period: 'monthly' },
] as const;

function limitsOf(metrics: Metrics): Limit[] {
  const storage = metrics.plan === FREE_PLAN ? 'weekly_file_size' : 'yearly_file_size';
  return [
    ...questionLimits.map(({ label, period }) => ({
      label,
      used: metrics[`${period}_queries_used`],
      limit: metrics[`${period}_query_limit`],
    })),
    {
      label: 'Storage',
      used: metrics[storage],
      limit: metrics[`${storage}_limit`],
      format: formatGigabytes,
    },
  ];
}

export const PlanUsage = ({ metrics }: { metrics: Metrics }) => (
  <>
    <Group component="ul" gap="20px 32px">
      {limitsOf(metrics).map((limit) => (
        <Meter key={limit.label} {...limit} enforced={metrics.enforced} />
      ))}
    </Group>
    <Text maw="68ch" mt={20} size="sm" c="dimmed">
      {metrics.enforced
        ? 'This server enforces these limits. When one is used up, each further question costs a credit. Days, weeks and months are counted in UTC.'
        : 'This server shows your usage, but does not enforce the limits.'}
    </Text>
  </>
);

function colorOf(share: number, enforced: boolean): string {
  if (!enforced || share < WARNING_SHARE) return 'var(--eg-accent)';
  return share >= 1 ? 'var(--eg-danger)' : 'yellow.6';
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

interface MeterProps extends Limit {
  enforced: boolean;
}

/** One limit and its usage. The color warns only if the limit is enforced. */
function Meter({ label, used, limit, format = formatCount, enforced }: MeterProps) {
  const share = limit > 0 ? used / limit : 0;
  const ofLimit = `of ${format(limit)}`;
  const text = (
    <Group justify="space-between" gap="4px 12px" fz="sm" c="dimmed">
      {label}
      <span>
        <Text span inherit c="var(--eg-ink)" fw={600}>
          {format(used)}
        </Text>{' '}
        {limit > 0 && ofLimit}
      </span>
    </Group>
  );
  return (
    <Stack component="li" flex="1 1 220px" gap={6}>
      {text}
      {limit > 0 && (
        <Progress
          label={`${label}: ${format(used)} ${ofLimit}`}
          share={share}
          size={6}
          color={colorOf(share, enforced)}
        />
      )}
    </Stack>
  );
}
