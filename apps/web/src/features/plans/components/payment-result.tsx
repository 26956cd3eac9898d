import type { DataOf } from '@engram/contract';
import { getSessionDetails } from '@engram/contract/browser';
import { Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Link, useNavigate, useNavigation } from 'react-router';
import { invalidate } from '../../../api/keys.ts';
import { useCall } from '../../../api/use-call.ts';
import { changedByPlan } from '../api.ts';
import { paths } from '../../../app/paths.ts';
import { messageOf } from '../../../components/notify.ts';
import { wayBack } from '../../../session/way-back.ts';

/** How long a result is shown before it leads on, in milliseconds. */
const REDIRECT_MS = 2000;

type Outcome = 'checking' | 'paid' | 'unpaid' | 'unverified';

const icons: Record<Outcome, ReactNode> = {
  checking: <Loader size={26} />,
  paid: <IconCheck size={28} stroke={2} />,
  unpaid: <IconX size={28} stroke={2} />,
  unverified: <IconAlertTriangle size={28} stroke={1.8} />,
};

/** Names of colours in `styles/tokens.css`. */
const tones: Record<Outcome, string> = {
  checking: 'accent',
  paid: 'success',
  unpaid: 'danger',
  unverified: 'warning',
};

const messages: Record<Outcome, string> = {
  checking: 'Checking payment status...',
  paid: 'Thanks for subscribing with us!',
  unpaid: 'Payment failed. Please try again.',
  unverified: 'Unable to verify payment status. Please contact support.',
};

function outcomeOf(
  sessionId: string | null,
  { data, isError }: { data: DataOf<typeof getSessionDetails> | undefined; isError: boolean },
): Outcome {
  if (!sessionId || isError) return 'unverified';
  if (data === undefined) return 'checking';
  return data.paymentStatus === 'no_payment_required' ? 'unverified' : data.paymentStatus;
}

/** What became of a checkout: asked of the server, told, and then back to where the person was. */
export function PaymentResult({ sessionId }: { sessionId: string | null }) {
  const payment = useCall(
    getSessionDetails,
    sessionId ? { query: { session_id: sessionId } } : null,
    { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  );
  const outcome = outcomeOf(sessionId, payment);
  useAfterwards(outcome);
  return (
    <Stack
      align="center"
      justify="center"
      gap={10}
      mih="70vh"
      px="var(--eg-gutter)"
      py={40}
      ta="center"
    >
      <Center
        w={64}
        h={64}
        mb={8}
        bdrs={20}
        bg={`var(--eg-${tones[outcome]}-soft)`}
        c={`var(--eg-${tones[outcome]})`}
        aria-hidden="true"
      >
        {icons[outcome]}
      </Center>
      <div aria-live="polite">
        <Text component="h1" maw="26ch" fz={23} fw={650} lh={1.3} data-page-heading tabIndex={-1}>
          {messages[outcome]}
        </Text>
      </div>
      <Explanation outcome={outcome} error={payment.error} />
      <WaysOn outcome={outcome} />
    </Stack>
  );
}

/** Forgets what another plan changes, and leads on; not when the person has left before. */
function useAfterwards(outcome: Outcome): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leaving = useNavigation().state !== 'idle';
  useEffect(() => {
    if (outcome === 'paid') void invalidate(queries, changedByPlan);
  }, [outcome, queries]);
  useEffect(() => {
    if (leaving || (outcome !== 'paid' && outcome !== 'unpaid')) return;
    const timer = setTimeout(
      () => void navigate(wayBack() ?? paths.home, { replace: true }),
      REDIRECT_MS,
    );
    return () => clearTimeout(timer);
  }, [outcome, leaving, navigate]);
}

function Explanation({ outcome, error }: { outcome: Outcome; error: Error | null }) {
  if (outcome === 'checking') return null;
  const next =
    wayBack() === null
      ? 'The home page opens in a moment.'
      : 'You go on where you were in a moment.';
  const texts = {
    paid: `Your plan holds from now on. ${next}`,
    unpaid: `Nothing was charged, and your plan is what it was. ${next}`,
    unverified: `${error ? `${messageOf(error)} ` : ''}If you have paid, your plan changes as soon as the payment is known: look at Billing in your profile before you pay again.`,
  };
  return (
    <Text maw="52ch" mb={14} c="dimmed">
      {texts[outcome]}
    </Text>
  );
}

function WaysOn({ outcome }: { outcome: Outcome }) {
  if (outcome === 'checking') return null;
  const ways = {
    paid: [{ to: wayBack() ?? paths.home, label: wayBack() === null ? 'Go to Home' : 'Go on' }],
    unpaid: [
      { to: paths.pricing, label: 'Back to Pricing' },
      { to: paths.contact, label: 'Contact' },
    ],
    unverified: [
      { to: `${paths.profile}#billing`, label: 'Open Billing' },
      { to: paths.contact, label: 'Contact' },
      { to: paths.pricing, label: 'Back to Pricing' },
    ],
  }[outcome];
  return (
    <Group gap={8} justify="center">
      {ways.map(({ to, label }, index) => (
        <Button key={to} component={Link} to={to} variant={index === 0 ? 'filled' : 'default'}>
          {label}
        </Button>
      ))}
    </Group>
  );
}
