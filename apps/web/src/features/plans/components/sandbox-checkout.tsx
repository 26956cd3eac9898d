import type { SandboxCheckout as Sale } from '@engram/contract';
import { getSandboxCheckout, paySandboxCheckout } from '@engram/contract/browser';
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { Notice } from '../../../components/notice.tsx';
import { formatDollars, partsOfPlan } from '../../../format/plan-name.ts';
import { perPeriod } from '../plan-rules.ts';
import { CardForm } from './card-form.tsx';
import { Loader } from './loader.tsx';

const DECLINED = 'This card was declined, and nothing was paid. Use another card.';

/** Stands in for a payment provider: the same steps with test cards, and no money. */
export function SandboxCheckout({ clientSecret }: { clientSecret: string }) {
  const params = { clientSecret };
  const sale = useCall(getSandboxCheckout, { params }, { gcTime: 0 });
  const pay = useAction(paySandboxCheckout);
  const navigate = useNavigate();
  if (sale.isPending) return <Loader label="Loading the checkout" />;
  if (sale.isError) {
    return (
      <ErrorState
        title="This checkout could not be loaded"
        error={sale.error}
        onRetry={() => void sale.refetch()}
      />
    );
  }
  const showResult = (sessionId: string): void =>
    void navigate(`${paths.message}?session_id=${encodeURIComponent(sessionId)}`);
  return (
    <Paper withBorder maw={920} p="clamp(20px, 3vw, 32px)" radius={16}>
      <SimpleGrid minColWidth="min(320px, 100%)" autoFlow="auto-fit" spacing={32}>
        <Summary sale={sale.data} />
        <CardForm
          label={`Pay ${formatDollars(sale.data.dueToday)}`}
          paying={pay.isPending}
          error={pay.error}
          onPay={(card, refuse) =>
            pay.mutate(
              { params, body: card },
              {
                onSuccess: ({ sessionId, paymentStatus }) => {
                  if (paymentStatus === 'paid') showResult(sessionId);
                  else refuse({ cardNumber: DECLINED });
                },
              },
            )
          }
        />
      </SimpleGrid>
    </Paper>
  );
}

function Summary({ sale: { plan, amount, billingPeriod, dueToday } }: { sale: Sale }) {
  return (
    <section aria-label="What you are buying">
      <Text c="dimmed" fw={600}>
        {partsOfPlan(plan).plan}
      </Text>
      <Text fz={36} fw={650} lts="-0.03em" lh={1.25}>
        {formatDollars(amount)}
      </Text>
      <Text c="dimmed">{perPeriod(billingPeriod)}</Text>
      {dueToday < amount && (
        <Text mt={16}>
          {formatDollars(amount - dueToday)} is credited from an earlier plan, and{' '}
          <strong>{formatDollars(dueToday)} is due today</strong>.
        </Text>
      )}
      <Notice tone="warning" mt={24}>
        <strong>Sandbox</strong>
        <p>No money moves here. Pay with one of the test cards, and never enter a real one.</p>
      </Notice>
    </section>
  );
}
