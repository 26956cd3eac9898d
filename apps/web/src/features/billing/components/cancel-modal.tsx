import type { BillingRecord } from '@engram/contract';
import { cancelSubscription, getBilling, getMetrics, listLedger } from '@engram/contract/browser';
import { useAction } from '../../../api/use-action.ts';
import { useKnownProfile } from '../../../session/account.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { formatDay } from '../../../format/format.ts';
import { notifySuccess } from '../../../components/notify.ts';
import { FREE_PLAN, partsOfPlan } from '../../../format/plan-name.ts';

interface CancelModalProps {
  record: BillingRecord;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a subscription is cancelled, and says until when it lasts. */
export function CancelModal({ record, opened, onClose }: CancelModalProps) {
  const profile = useKnownProfile();
  const cancel = useAction(cancelSubscription, {
    invalidates: [getBilling, getMetrics, listLedger],
  });
  const { plan } = partsOfPlan(record.productName);
  const end = record.renewsOn ? formatDay(record.renewsOn) : 'the end of its period';
  const close = (): void => {
    cancel.reset();
    onClose();
  };
  return (
    <ConfirmModal
      opened={opened}
      title="Confirm Cancellation"
      question="Are you sure you want to cancel your subscription?"
      consequence={`You keep access to ${plan} until ${end}. Then your account reverts to ${FREE_PLAN}.`}
      yes="Cancel Subscription"
      no="Keep Subscription"
      pending={cancel.isPending}
      onClose={close}
      onConfirm={() =>
        cancel.mutate(
          { body: { email: profile?.email } },
          {
            onSuccess() {
              notifySuccess('Cancelled successfully');
              close();
            },
          },
        )
      }
    >
      {cancel.isError && (
        <FailureNote
          title="Error Cancelling Subscription."
          error={cancel.error}
          advice="Your subscription goes on; try again in a moment."
        />
      )}
    </ConfirmModal>
  );
}
