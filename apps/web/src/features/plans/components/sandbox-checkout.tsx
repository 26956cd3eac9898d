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
import { LoadState } from '../../../components/loading-blocks.tsx';
import { Notice } from '../../../components/notice.tsx';
import { formatDollars, partsOfPlan } from '../../../format/format.ts';
import { perPeriod } from '../offers.ts';
import { Loader } from './loader.tsx';
import { PlanFailure } from './plan-failure.tsx';

export default function SandboxCheckout({ clientSecret }: { clientSecret: string }) {
  const sale = useCall(getSandboxCheckout, { params: { clientSecret } }, { gcTime: 0 });
  if (!sale.data) {
    const loading = <Loader label="Loading the checkout" />;
    return <LoadState call={sale} what="this checkout" loading={loading} />;
  }
  return (
    <Paper maw={920} p="clamp(20px, 3vw, 32px)" radius={16}>
      <SimpleGrid minColWidth="min(320px, 100%)" autoFlow="auto-fit" spacing={32}>
        <Summary sale={sale.data} />
        <CardForm clientSecret={clientSecret} dueToday={sale.data.dueToday} />
      </SimpleGrid>
    </Paper>
  );
}

const Summary = ({ sale: { plan, amount, billingPeriod, dueToday } }: { sale: Sale }) => (
  <section aria-label="Your order">
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

const DECLINED = 'This card was declined, and nothing was paid. Use another card.';

const digitsOf = (text: string, max: number): string => text.replaceAll(/\D/gu, '').slice(0, max);

const formatCardNumber = (typed: string): string =>
  digitsOf(typed, 19).replaceAll(/(\d{4})(?=\d)/gu, '$1 ');

/** Formats MM/YY while typing. A first digit above 1 gets a leading zero. */
function formatExpiry(typed: string): string {
  const digits = digitsOf(/^[2-9]/u.test(typed) ? `0${typed}` : typed, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}

/** An expiry that is valid even if the server's clock is ahead. */
const testExpiry = (now: Date): string =>
  `12/${String((now.getUTCFullYear() + 8) % 100).padStart(2, '0')}`;

function expiryError(expiry: string, now: Date): string | null {
  if (!/^(?:0[1-9]|1[0-2])\/\d{2}$/u.test(expiry)) {
    return 'Enter the month and year, such as 12/28.';
  }
  const [month = 0, year = 0] = expiry.split('/').map(Number);
  return Date.UTC(2000 + year, month, 1) <= now.getTime() ? 'This date has passed.' : null;
}

interface Field extends TextInputProps {
  name: keyof Card;
  format?: (typed: string) => string;
}

const number = { inputMode: 'numeric', flex: '1 1 40%' } as const;

const fields: readonly Field[] = [
  {
    ...number,
    name: 'cardNumber',
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    maxLength: 23,
    flex: '1 0 100%',
    format: formatCardNumber,
  },
  {
    ...number,
    name: 'expiry',
    label: 'Expiry',
    placeholder: 'MM/YY',
    maxLength: 7,
    format: formatExpiry,
  },
  {
    ...number,
    name: 'cvc',
    label: 'CVC',
    placeholder: '123',
    maxLength: 4,
    format: (typed) => digitsOf(typed, 4),
  },
  { name: 'name', label: 'Name on card', maxLength: 100 },
  { name: 'billingAddress', label: 'Billing address', maxLength: 300 },
];

const emptyCard = { cardNumber: '', expiry: '', cvc: '', name: '', billingAddress: '' };
type Card = typeof emptyCard;
type CardErrors = Partial<Card>;

function validateCard(card: Card, now: Date): CardErrors {
  const expiry = expiryError(card.expiry, now);
  return {
    ...(digitsOf(card.cardNumber, 19).length < 12 && { cardNumber: 'Enter the whole number.' }),
    ...(expiry && { expiry }),
    ...(card.cvc.length < 3 && { cvc: 'Enter 3 or 4 digits.' }),
    ...(card.name.trim() === '' && { name: 'Enter the name on the card.' }),
    ...(card.billingAddress.trim() === '' && { billingAddress: 'Enter the billing address.' }),
  };
}

function CardForm({ clientSecret, dueToday }: { clientSecret: string; dueToday: number }) {
  const [card, setCard] = useState(emptyCard);
  const [errors, setErrors] = useState<CardErrors>({});
  const pay = useAction(paySandboxCheckout);
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const change = (changed: Partial<Card>): void => {
    setCard((previous) => ({ ...previous, ...changed }));
    setErrors({});
  };
  const showErrors = (newErrors: CardErrors): void => {
    setErrors(newErrors);
    const first = fields.find(({ name }) => newErrors[name]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first.name}"]`)?.focus();
  };
  const submit = (): void => {
    const newErrors = validateCard(card, new Date());
    showErrors(newErrors);
    if (Object.keys(newErrors).length > 0) return;
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
        {fields.map(({ format, ...field }) => (
          <TextInput
            key={field.name}
            flex="1 0 100%"
            autoComplete="off"
            {...field}
            value={card[field.name]}
            error={errors[field.name]}
            onChange={({ target: { value } }) => change({ [field.name]: format?.(value) ?? value })}
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
