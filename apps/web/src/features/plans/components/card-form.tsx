import { Button, Group, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import {
  emptyCard,
  formatCardNumber,
  formatCvc,
  formatExpiry,
  refuseCard,
  testExpiry,
  type Card,
  type CardProblems,
} from '../card.ts';
import { PlanFailure } from './plan-failure.tsx';
import { TestCards } from './test-cards.tsx';

interface CardFormProps {
  /** What the button says that pays. */
  label: string;
  paying: boolean;
  /** Why nothing was paid, or null. */
  error: unknown;
  /** `refuse` shows at the fields why the card does not pay. */
  onPay: (card: Card, refuse: (problems: CardProblems) => void) => void;
}

const asTyped = (typed: string): string => typed;

const fields: readonly {
  field: keyof Card;
  label: string;
  placeholder?: string;
  numeric?: boolean;
  /** Leaves room for another beside it. */
  short?: boolean;
  maxLength: number;
  format: (typed: string) => string;
}[] = [
  {
    field: 'cardNumber',
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    numeric: true,
    maxLength: 23,
    format: formatCardNumber,
  },
  {
    field: 'expiry',
    label: 'Expiry',
    placeholder: 'MM/YY',
    numeric: true,
    short: true,
    maxLength: 7,
    format: formatExpiry,
  },
  {
    field: 'cvc',
    label: 'CVC',
    placeholder: '123',
    numeric: true,
    short: true,
    maxLength: 4,
    format: formatCvc,
  },
  { field: 'name', label: 'Name on card', maxLength: 100, format: asTyped },
  { field: 'billingAddress', label: 'Billing address', maxLength: 300, format: asTyped },
];

/** A card, an address and the button that pays. */
export function CardForm({ label: payLabel, paying, error, onPay }: CardFormProps) {
  const [card, setCard] = useState(emptyCard);
  const [refused, setRefused] = useState<CardProblems>({});
  const change = (changed: Partial<Card>): void => {
    setCard((known) => ({ ...known, ...changed }));
    setRefused({});
  };
  const form = useRef<HTMLFormElement>(null);
  const refuse = (problems: CardProblems): void => {
    setRefused(problems);
    const first = fields.find(({ field }) => problems[field]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first.field}"]`)?.focus();
  };
  const submit = (): void => {
    const problems = refuseCard(card, new Date());
    refuse(problems);
    if (Object.keys(problems).length === 0) onPay(card, refuse);
  };
  return (
    <form
      ref={form}
      noValidate
      // A browser must not fill in the card that somebody really has.
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!paying) submit();
      }}
    >
      <TestCards
        onUse={(cardNumber) => change({ cardNumber, expiry: testExpiry(new Date()), cvc: '123' })}
      />
      {error !== null && <PlanFailure title="Nothing was paid." error={error} upgrade={false} />}
      <Group gap="14px 12px" align="flex-start" mb={22}>
        {fields.map(({ field, label, placeholder, numeric, short, maxLength, format }) => (
          <TextInput
            key={field}
            name={field}
            label={label}
            flex={short ? '1 1 40%' : '1 0 100%'}
            placeholder={placeholder ?? ''}
            inputMode={numeric ? 'numeric' : 'text'}
            maxLength={maxLength}
            autoComplete="off"
            value={card[field]}
            error={refused[field]}
            onChange={({ target }) => change({ [field]: format(target.value) })}
          />
        ))}
      </Group>
      <Button type="submit" size="md" fullWidth loading={paying}>
        {payLabel}
      </Button>
    </form>
  );
}
