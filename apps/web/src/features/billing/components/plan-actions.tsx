import type { BillingRecord } from '@engram/contract';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { FREE_PLAN } from '../../../format/plan-name.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { CancelModal } from './cancel-modal.tsx';

/** What can be done about a plan as it stands. */
export function PlanActions({ record }: { record: BillingRecord }) {
  const [cancelling, setCancelling] = useState(false);
  const { payments } = useAppSettings();
  const isPaid = record.status === 'ACTIVE' && record.productName !== FREE_PLAN;
  const isSold = payments.provider !== 'off';
  if (!isPaid && !isSold) return null;
  return (
    <Group gap={8} mt={20}>
      {isPaid ? (
        <>
          {isSold && (
            <Button component={Link} to={`${paths.pricing}?upgrade=true`}>
              Upgrade Plan
            </Button>
          )}
          <Button variant="light" color="red" onClick={() => setCancelling(true)}>
            Cancel Subscription
          </Button>
        </>
      ) : (
        <Button component={Link} to={paths.pricing}>
          Change Plan
        </Button>
      )}
      <CancelModal record={record} opened={cancelling} onClose={() => setCancelling(false)} />
    </Group>
  );
}
