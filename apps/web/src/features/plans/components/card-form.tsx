import { Button, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  emptyCard,
  formatCardNumber,
  formatCvc,
  formatExpiry,
  refuseCard,
  testExpiry,
  type Card,
} from '../card.ts';
import classes from './checkout.module.css';
import { PlanFailure } from './plan-failure.tsx';
import { TestCards } from './test-cards.tsx';

interface CardFormProps {
  /** What the button says that pays. */
  label: string;
  paying: boolean;
  /** Why nothing was paid, or null. */
  error: unknown;
  onPay: (card: Card) => void;
}

const asTyped = (typed: string): string => typed;

const fields: readonly {
  field: keyof Card;
  label: string;
  placeholder?: string;
  numeric?: boolean;
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
    maxLength: 7,
    format: formatExpiry,
  },
  {
    field: 'cvc',
    label: 'CVC',
    placeholder: '123',
    numeric: true,
    maxLength: 4,
    format: formatCvc,
  },
  { field: 'name', label: 'Name on card', maxLength: 100, format: asTyped },
  { field: 'billingAddress', label: 'Billing address', maxLength: 300, format: asTyped },
];

/** A card, an address and the button that pays. */
export function CardForm({ label: payLabel, paying, error, onPay }: CardFormProps) {
  const [card, setCard] = useState(emptyCard);
  const [refused, setRefused] = useState<ReturnType<typeof refuseCard>>({});
  const change = (changed: Partial<Card>): void => {
    setCard((known) => ({ ...known, ...changed }));
    setRefused({});
  };
  const submit = (form: HTMLFormElement): void => {
    const problems = refuseCard(card, new Date());
    setRefused(problems);
    const first = fields.find(({ field }) => problems[field]);
    if (first) form.querySelector<HTMLInputElement>(`[name="${first.field}"]`)?.focus();
    else onPay(card);
  };
  return (
    <form
      noValidate
      // A browser must not fill in the card that somebody really has.
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!paying) submit(event.currentTarget);
      }}
    >
      <TestCards
        onUse={(cardNumber) => change({ cardNumber, expiry: testExpiry(new Date()), cvc: '123' })}
      />
      {error !== null && <PlanFailure title="Nothing was paid." error={error} upgrade={false} />}
      <SimpleGrid cols={2} spacing={12} verticalSpacing={14} mb={22}>
        {fields.map(({ field, label, placeholder, numeric, maxLength, format }) => (
          <TextInput
            key={field}
            name={field}
            label={label}
            className={classes[field] ?? ''}
            placeholder={placeholder ?? ''}
            inputMode={numeric ? 'numeric' : 'text'}
            maxLength={maxLength}
            autoComplete="off"
            value={card[field]}
            error={refused[field]}
            onChange={({ target }) => change({ [field]: format(target.value) })}
          />
        ))}
      </SimpleGrid>
      <Button type="submit" size="md" fullWidth loading={paying}>
        {payLabel}
      </Button>
    </form>
  );
}
