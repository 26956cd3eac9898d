import type { SandboxCheckout as Sale } from '@engram/contract';
import { getSandboxCheckout, paySandboxCheckout } from '@engram/contract/browser';
import {
  Box,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { paths } from '../../../app/paths.ts';
import { ErrorState } from '../../../components/empty-state.tsx';
import { Notice } from '../../../components/notice.tsx';
import { formatDollars, partsOfPlan } from '../../../format/format.ts';
import {
  formatCardNumber,
  formatCvc,
  formatExpiry,
  testExpiry,
  validateCard,
  type Card,
  type CardErrors,
  type CardField,
} from '../card.ts';
import { perPeriod } from '../offers.ts';
import { Loader } from './loader.tsx';
import { PlanFailure } from './plan-failure.tsx';

/** Replaces a payment provider: the same steps with test cards, and no money. */
export function SandboxCheckout({ clientSecret }: { clientSecret: string }) {
  const sale = useCall(getSandboxCheckout, { params: { clientSecret } }, { gcTime: 0 });
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
  return (
    <Paper withBorder maw={920} p="clamp(20px, 3vw, 32px)" radius={16}>
      <SimpleGrid minColWidth="min(320px, 100%)" autoFlow="auto-fit" spacing={32}>
        <Summary sale={sale.data} />
        <CardForm clientSecret={clientSecret} dueToday={sale.data.dueToday} />
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

const DECLINED = 'This card was declined, and nothing was paid. Use another card.';

const emptyCard: Card = { cardNumber: '', expiry: '', cvc: '', name: '', billingAddress: '' };

const fields: readonly (TextInputProps & { name: CardField })[] = [
  {
    name: 'cardNumber',
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    inputMode: 'numeric',
    maxLength: 23,
  },
  {
    name: 'expiry',
    label: 'Expiry',
    placeholder: 'MM/YY',
    inputMode: 'numeric',
    maxLength: 7,
    flex: '1 1 40%',
  },
  {
    name: 'cvc',
    label: 'CVC',
    placeholder: '123',
    inputMode: 'numeric',
    maxLength: 4,
    flex: '1 1 40%',
  },
  { name: 'name', label: 'Name on card', maxLength: 100 },
  { name: 'billingAddress', label: 'Billing address', maxLength: 300 },
];

const formats: Partial<Record<CardField, (typed: string) => string>> = {
  cardNumber: formatCardNumber,
  expiry: formatExpiry,
  cvc: formatCvc,
};

/** Pays with a test card and opens the page of the result. */
function CardForm({ clientSecret, dueToday }: { clientSecret: string; dueToday: number }) {
  const [card, setCard] = useState(emptyCard);
  const [errors, setErrors] = useState<CardErrors>({});
  const pay = useAction(paySandboxCheckout);
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const change = (changed: Partial<Card>): void => {
    setCard((known) => ({ ...known, ...changed }));
    setErrors({});
  };
  const showErrors = (found: CardErrors): void => {
    setErrors(found);
    const first = fields.find(({ name }) => found[name]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first.name}"]`)?.focus();
  };
  const submit = (): void => {
    const found = validateCard(card, new Date());
    showErrors(found);
    if (Object.keys(found).length > 0) return;
    pay.mutate(
      { params: { clientSecret }, body: card },
      {
        onSuccess({ sessionId, paymentStatus }) {
          if (paymentStatus !== 'paid') return showErrors({ cardNumber: DECLINED });
          void navigate(`${paths.message}?session_id=${encodeURIComponent(sessionId)}`);
        },
      },
    );
  };
  return (
    <form
      ref={form}
      noValidate
      // A browser must not fill in a real card.
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pay.isPending) submit();
      }}
    >
      <TestCards
        onUse={(cardNumber) => change({ cardNumber, expiry: testExpiry(new Date()), cvc: '123' })}
      />
      {pay.error && <PlanFailure title="Nothing was paid." error={pay.error} upgrade={false} />}
      <Group gap="14px 12px" align="flex-start" mb={22}>
        {fields.map((field) => (
          <TextInput
            key={field.name}
            flex="1 0 100%"
            autoComplete="off"
            {...field}
            value={card[field.name]}
            error={errors[field.name]}
            onChange={({ target: { value } }) =>
              change({ [field.name]: formats[field.name]?.(value) ?? value })
            }
          />
        ))}
      </Group>
      <Button type="submit" size="md" fullWidth loading={pay.isPending}>
        Pay {formatDollars(dueToday)}
      </Button>
    </form>
  );
}

const testCards = [
  { cardNumber: '4242 4242 4242 4242', outcome: 'is paid' },
  { cardNumber: '4000 0000 0000 0002', outcome: 'is declined' },
];

/** The cards that the sandbox accepts, each filled in by one click. */
const TestCards = ({ onUse }: { onUse: (cardNumber: string) => void }) => (
  <Box component="section" mb={20} aria-label="Test cards">
    <Text component="h2" size="xs" mb={4} c="dimmed" fw={600} lts={0}>
      Test cards
    </Text>
    <ul>
      {testCards.map(({ cardNumber, outcome }) => (
        <Group
          component="li"
          key={cardNumber}
          justify="space-between"
          wrap="nowrap"
          gap={12}
          py={6}
        >
          <Text span size="sm" c="dimmed">
            <Text span inherit c="var(--eg-ink)" fw={550}>
              {cardNumber}
            </Text>{' '}
            {outcome}
          </Text>
          <Button
            variant="light"
            size="xs"
            aria-label={`Use the card that ${outcome}`}
            onClick={() => onUse(cardNumber)}
          >
            Use
          </Button>
        </Group>
      ))}
    </ul>
  </Box>
);
