import type { DataOf } from '@engram/contract';
import { getSessionDetails } from '@engram/contract/browser';
import { Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useNavigate, useNavigation, useSearchParams } from 'react-router';
import { invalidate } from '../../../api/keys.ts';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { useDocumentTitle } from '../../../browser/document-title.ts';
import { messageOf } from '../../../components/notify.ts';
import { returnPath } from '../../../session/session-cache.ts';
import { changedByPlan } from '../api.ts';

const REDIRECT_MS = 2000;

type Outcome = 'checking' | 'paid' | 'unpaid' | 'unverified';

function outcomeOf(
  sessionId: string | null,
  { data, isError }: { data: DataOf<typeof getSessionDetails> | undefined; isError: boolean },
): Outcome {
  if (!sessionId || isError) return 'unverified';
  if (data === undefined) return 'checking';
  return data.paymentStatus === 'no_payment_required' ? 'unverified' : data.paymentStatus;
}

/** The tone is the name of a color in `styles/tokens.css`. */
function viewOf(outcome: Outcome, error: Error | null) {
  const returnTo = returnPath();
  const next = returnTo === null ? 'The home page opens in a moment.' : 'Taking you back…';
  const contact = { to: paths.contact, label: 'Contact' };
  const pricing = { to: paths.pricing, label: 'Back to Pricing' };
  return {
    checking: {
      icon: <Loader size={26} />,
      tone: 'accent',
      message: 'Checking payment status...',
      text: '',
      links: [],
    },
    paid: {
      icon: <IconCheck size={28} stroke={2} />,
      tone: 'success',
      message: 'Thanks for subscribing with us!',
      text: `Your plan is active now. ${next}`,
      links: [{ to: returnTo ?? paths.home, label: returnTo === null ? 'Go to Home' : 'Continue' }],
    },
    unpaid: {
      icon: <IconX size={28} stroke={2} />,
      tone: 'danger',
      message: 'Payment failed. Please try again.',
      text: `Nothing was charged, and your plan has not changed. ${next}`,
      links: [pricing, contact],
    },
    unverified: {
      icon: <IconAlertTriangle size={28} stroke={1.8} />,
      tone: 'warning',
      message: 'Unable to verify payment status. Please contact support.',
      text: `${error ? `${messageOf(error)} ` : ''}If you have paid, your plan changes when the payment arrives. Check Billing in your profile before you pay again.`,
      links: [{ to: `${paths.profile}#billing`, label: 'Open Billing' }, contact, pricing],
    },
  }[outcome];
}

export default function MessagePage() {
  useDocumentTitle('Payment');
  const sessionId = useSearchParams()[0].get('session_id');
  const payment = useCall(
    getSessionDetails,
    sessionId ? { query: { session_id: sessionId } } : null,
    { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  );
  const outcome = outcomeOf(sessionId, payment);
  useRedirect(outcome);
  const { icon, tone, message, text, links } = viewOf(outcome, payment.error);
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
        bg={`var(--eg-${tone}-soft)`}
        c={`var(--eg-${tone})`}
        aria-hidden="true"
      >
        {icon}
      </Center>
      <div aria-live="polite">
        <Text component="h1" maw="26ch" fz={23} fw={650} lh={1.3} data-page-heading tabIndex={-1}>
          {message}
        </Text>
      </div>
      <Text maw="52ch" mb={14} c="dimmed">
        {text}
      </Text>
      <Group gap={8} justify="center">
        {links.map(({ to, label }, index) => (
          <Button key={to} component={Link} to={to} variant={index === 0 ? 'filled' : 'default'}>
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

function useRedirect(outcome: Outcome): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => {
    if (outcome === 'paid') void invalidate(queries, changedByPlan);
  }, [outcome, queries]);
  useEffect(() => {
    if (isLeaving || (outcome !== 'paid' && outcome !== 'unpaid')) return;
    const timer = setTimeout(
      () => void navigate(returnPath() ?? paths.home, { replace: true }),
      REDIRECT_MS,
    );
    return () => clearTimeout(timer);
  }, [outcome, isLeaving, navigate]);
}
