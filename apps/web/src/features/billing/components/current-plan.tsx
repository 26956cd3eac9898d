import type { BillingRecord, Metrics } from '@engram/contract';
import {
  cancelSubscription,
  getBilling,
  getMetrics,
  listLedger,
  resumeSubscription,
} from '@engram/contract/browser';
import { Box, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAppSettings } from '../../../api/settings.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { Notice } from '../../../components/notice.tsx';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import {
  formatDay,
  formatDollars,
  FREE_PLAN,
  partsOfPlan,
  planWithPeriod,
} from '../../../format/format.ts';
import { useKnownProfile } from '../../../session/account.ts';

export function PlanNotices({ record, metrics }: { record: BillingRecord; metrics: Metrics }) {
  const { status, renewsOn, next, filesDeletedOn, sandboxPlan } = record;
  const { plan } = partsOfPlan(record.productName);
  return (
    <>
      {(status === 'EXPIRED' || metrics.status === 'Expired') && (
        <PlanNotice tone="danger" title="Plan is Expired. Please upgrade to continue">
          Until then you cannot search or upload, but you can read, export and delete your files and
          answers.
        </PlanNotice>
      )}
      {sandboxPlan !== null && (
        <PlanNotice tone="warning" title={`${planWithPeriod(sandboxPlan)} is not valid here.`}>
          It was bought in the sandbox, where no money moves, and this server no longer uses the
          sandbox.
        </PlanNotice>
      )}
      {status === 'CANCELLED' && (
        <PlanNotice
          tone="warning"
          title="Your subscription is cancelled."
          action={<ResumeButton label="Resume" />}
        >
          You keep access until {renewsOn ? formatDay(renewsOn) : 'its period ends'}; then your
          account returns to {FREE_PLAN}.
          {filesDeletedOn === null && ' At your current use, none of your files will be deleted.'}
        </PlanNotice>
      )}
      {next !== null && (
        <PlanNotice
          tone="accent"
          title={`${planWithPeriod(next.productName)} begins on ${renewsOn ? formatDay(renewsOn) : 'the end of your plan'}.`}
          action={<ResumeButton label="Cancel the change" />}
        >
          You keep {plan} until then, and {formatDollars(Math.max(0, next.amount - record.balance))}{' '}
          is due on that day. If you cancel the change, {plan} continues.
        </PlanNotice>
      )}
      {filesDeletedOn !== null && (
        <PlanNotice
          tone="danger"
          title={`Files will be automatically deleted on ${formatDay(filesDeletedOn)}.`}
        >
          You store more than {FREE_PLAN} includes. One week after the end of your plan, the newest
          files are deleted until the others fit. To prevent this, export or delete some files, or
          buy a plan.
        </PlanNotice>
      )}
    </>
  );
}

interface PlanNoticeProps {
  tone: 'danger' | 'warning' | 'accent';
  title: string;
  children: ReactNode;
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

function ResumeButton({ label }: { label: string }) {
  const profile = useKnownProfile();
  const { payments } = useAppSettings();
  const resume = useAction(resumeSubscription, {
    onSuccess: () => notifySuccess('Your plan continues'),
    onError: (error) => notifyError('Your plan was not changed', error),
    invalidatesAlways: [getBilling, getMetrics, listLedger],
  });
  if (payments.provider === 'off') return null;
  return (
    <Button
      flex="none"
      variant="default"
      loading={resume.isPending}
      onClick={() => resume.mutate({ body: { email: profile?.email } })}
    >
      {label}
    </Button>
  );
}

export function PlanActions({ record }: { record: BillingRecord }) {
  const profile = useKnownProfile();
  const { payments } = useAppSettings();
  const cancel = useAction(cancelSubscription, {
    // Not at the button, which is removed when the plan is refetched.
    onSuccess: () => notifySuccess('Cancelled successfully'),
    invalidates: [getBilling, getMetrics, listLedger],
  });
  const isPaid = record.status === 'ACTIVE' && record.productName !== FREE_PLAN;
  const isSold = payments.provider !== 'off';
  if (!isPaid && !isSold) return null;
  const end = record.renewsOn ? formatDay(record.renewsOn) : 'the end of its period';
  return (
    <Group gap={8} mt={20}>
      {isSold && (
        <Button component={Link} to={isPaid ? `${paths.pricing}?upgrade=true` : paths.pricing}>
          {isPaid ? 'Upgrade Plan' : 'Change Plan'}
        </Button>
      )}
      {isPaid && (
        <ConfirmButton
          label="Cancel Subscription"
          title="Confirm Cancellation"
          question="Are you sure you want to cancel your subscription?"
          consequence={`You keep access to ${partsOfPlan(record.productName).plan} until ${end}. Then your account reverts to ${FREE_PLAN}.`}
          yes="Cancel Subscription"
          no="Keep Subscription"
          action={cancel}
          input={{ body: { email: profile?.email } }}
          failure="Error Cancelling Subscription."
          advice="Your subscription continues. Try again in a moment."
        />
      )}
    </Group>
  );
}
