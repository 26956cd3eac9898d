import type { BillingRecord, Metrics } from '@engram/contract';
import { getBilling, getMetrics, listLedger, resumeSubscription } from '@engram/contract/browser';
import { Box, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { useKnownProfile } from '../../../session/account.ts';
import { Notice } from '../../../components/notice.tsx';
import { formatDay } from '../../../format/format.ts';
import {
  formatDollars,
  FREE_PLAN,
  partsOfPlan,
  planWithPeriod,
} from '../../../format/plan-name.ts';
import { useAppSettings } from '../../../api/settings.ts';

interface PlanNoticesProps {
  record: BillingRecord;
  metrics: Metrics;
}

interface PlanNoticeProps {
  tone: 'danger' | 'warning' | 'accent';
  title: string;
  children: ReactNode;
  /** What can be done about it, beside it. */
  action?: ReactNode;
}

const PlanNotice = ({ tone, title, children, action }: PlanNoticeProps) => (
  <Notice tone={tone} mb={16}>
    <Group justify="space-between" gap="10px 20px">
      <Box flex="1 1 320px">
        <strong>{title}</strong>
        <Text size="sm" mt={2} maw="76ch" c="dimmed">
          {children}
        </Text>
      </Box>
      {action}
    </Group>
  </Notice>
);

/** What has to be known about a plan that has ended or will end, and what follows it. */
export function PlanNotices({ record, metrics }: PlanNoticesProps) {
  const { status, next, filesDeletedOn, sandboxPlan } = record;
  return (
    <>
      {(status === 'EXPIRED' || metrics.status === 'Expired') && (
        <PlanNotice tone="danger" title="Plan is Expired. Please upgrade to continue">
          Searching and uploading wait until then. Your files and answers stay, and you can read,
          export and delete them.
        </PlanNotice>
      )}
      {sandboxPlan !== null && (
        <PlanNotice tone="warning" title={`${planWithPeriod(sandboxPlan)} does not count here.`}>
          It was bought in the sandbox, in which no money moved, and this server does not take
          payments there any more.
        </PlanNotice>
      )}
      {status === 'CANCELLED' && <Cancelled record={record} />}
      {next !== null && <Following record={record} next={next} />}
      {filesDeletedOn !== null && <FilesGo on={filesDeletedOn} />}
    </>
  );
}

/** Takes back what was to happen at the end of the period. */
function ResumeButton({ label }: { label: string }) {
  const profile = useKnownProfile();
  const resume = useAction(resumeSubscription, {
    onSuccess: () => notifySuccess('Your plan goes on'),
    onError: (error) => notifyError('Your plan was not changed', error),
    invalidatesAlways: [getBilling, getMetrics, listLedger],
  });
  const { payments } = useAppSettings();
  if (payments.provider === 'off') return null;
  return (
    <Button
      flex="none"
      variant="default"
      size="sm"
      loading={resume.isPending}
      onClick={() => resume.mutate({ body: { email: profile?.email } })}
    >
      {label}
    </Button>
  );
}

function Cancelled({ record: { renewsOn, filesDeletedOn } }: { record: BillingRecord }) {
  const end = renewsOn ? formatDay(renewsOn) : 'its period ends';
  return (
    <PlanNotice
      tone="warning"
      title="Your subscription is cancelled."
      action={<ResumeButton label="Resume" />}
    >
      You keep access until {end}; then your account goes back to {FREE_PLAN}.
      {filesDeletedOn === null && ' As things stand, none of your files will be deleted.'}
    </PlanNotice>
  );
}

interface FollowingProps {
  record: BillingRecord;
  next: NonNullable<BillingRecord['next']>;
}

function Following({ record: { productName, renewsOn, balance }, next }: FollowingProps) {
  const day = renewsOn ? formatDay(renewsOn) : 'the end of your plan';
  const { plan } = partsOfPlan(productName);
  const due = formatDollars(Math.max(0, next.amount - balance));
  return (
    <PlanNotice
      tone="accent"
      title={`${planWithPeriod(next.productName)} begins on ${day}.`}
      action={<ResumeButton label="Take back" />}
    >
      You keep {plan} until then, and {due} is due on that day. Taken back before, {plan} goes on.
    </PlanNotice>
  );
}

function FilesGo({ on }: { on: string }) {
  return (
    <PlanNotice tone="danger" title={`Files will be automatically deleted on ${formatDay(on)}.`}>
      You store more than {FREE_PLAN} holds. One week after your plan’s end, the newest files go
      until the rest fits. Export or delete some before, or choose a plan, to decide it yourself.
    </PlanNotice>
  );
}
