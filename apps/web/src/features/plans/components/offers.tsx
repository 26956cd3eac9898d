import type { Plan } from '@engram/contract';
import { Accordion, Button, Group, Paper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Pairs } from '../../../components/pairs.tsx';
import { TableFrame } from '../../../components/table.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDollars } from '../../../format/format.ts';
import { limits, type Offer, type PlanStatus } from '../offers.ts';
import classes from './offers.module.css';

const WIDE = '(min-width: 992px)';

interface Choice {
  /** The plan whose checkout or preview is loading. */
  pendingPlan: Plan | null;
  disabled: boolean;
  onChoose: (plan: Plan) => void;
}

interface OffersProps extends Choice {
  offers: readonly Offer[];
}

export function Offers({ offers, ...choice }: OffersProps) {
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const columns: Column[] = [
    ...offers.map((offer) => ({
      // Without the period, so that the same plan stays open. Ids have no spaces.
      key: offer.name.replaceAll(/[^\p{L}\d]+/gu, '-'),
      head: <PlanHead offer={offer} />,
      limits: limits.map(({ format }) => format(offer.plan)),
      action: <GetStarted offer={offer} {...choice} />,
      isOwn: offer.status !== null,
    })),
    {
      key: ULTIMATE,
      // The operator sets the price for each customer.
      head: (
        <>
          <Name>{ULTIMATE}</Name> <Price amount="On request">tailored to you</Price>
        </>
      ),
      limits: limits.map(() => 'As agreed'),
      note: 'More questions or storage than Elite, as agreed with the operator of this server.',
      action: (
        <Button component={Link} to={paths.contact} variant="default" fullWidth>
          Contact Us
        </Button>
      ),
      isOwn: false,
    },
  ];
  return isWide ? <OffersTable columns={columns} /> : <OffersAccordion columns={columns} />;
}

const ULTIMATE = 'Ultimate';

interface Column {
  key: string;
  head: ReactNode;
  limits: readonly string[];
  /** Shown in the accordion instead of the limits. */
  note?: string;
  action: ReactNode;
  isOwn: boolean;
}

const OffersTable = ({ columns }: { columns: readonly Column[] }) => (
  <Paper radius={16}>
    <TableFrame className={classes.table} caption="The plans, their prices and limits">
      <thead>
        <tr>
          <th scope="col">
            <span className="eg-visually-hidden">Limit</span>
          </th>
          {columns.map(({ key, head, isOwn }) => (
            <th key={key} scope="col" data-own={isOwn || undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {limits.map(({ label }, row) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {columns.map((column) => (
              <td key={column.key} data-own={column.isOwn || undefined}>
                {column.limits[row]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            <span className="eg-visually-hidden">Get this plan</span>
          </th>
          {columns.map(({ key, action, isOwn }) => (
            <td key={key} data-own={isOwn || undefined}>
              {action}
            </td>
          ))}
        </tr>
      </tfoot>
    </TableFrame>
  </Paper>
);

function OffersAccordion({ columns }: { columns: readonly Column[] }) {
  const [open, setOpen] = useState(columns[0]?.key ?? null);
  return (
    <Accordion variant="contained" radius={14} order={2} value={open} onChange={setOpen}>
      {columns.map(({ key, head, note, action, ...column }) => (
        <Accordion.Item key={key} value={key}>
          <Accordion.Control>{head}</Accordion.Control>
          <Accordion.Panel>
            {note === undefined ? (
              <Pairs
                lined
                mb={16}
                pairs={limits.map(({ label }, row) => ({ label, value: column.limits[row] }))}
              />
            ) : (
              <Text mb={14} c="dimmed">
                {note}
              </Text>
            )}
            {action}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

const statusTags: Record<
  NonNullable<PlanStatus>,
  { tone: 'accent' | 'quiet' | 'warning' | 'danger'; label: string }
> = {
  Active: { tone: 'accent', label: 'Your plan' },
  Next: { tone: 'quiet', label: 'Your next plan' },
  Cancelled: { tone: 'warning', label: 'Your plan, cancelled' },
  Expired: { tone: 'danger', label: 'Your plan, expired' },
};

function PlanHead({ offer: { plan, name, per, status } }: { offer: Offer }) {
  const tag = status && statusTags[status];
  return (
    <>
      <Name>
        {name}
        {tag && (
          <>
            {' '}
            <Tag tone={tag.tone}>{tag.label}</Tag>
          </>
        )}
      </Name>{' '}
      <Price amount={formatDollars(plan.amount)}>{per ?? 'forever'}</Price>
    </>
  );
}

const Name = ({ children }: { children: ReactNode }) => (
  <Group component="span" gap="4px 8px" fz={16} fw={650} lts="-0.01em">
    {children}
  </Group>
);

const Price = ({ amount, children }: { amount: string; children: string }) => (
  <Group component="span" align="baseline" gap="0 6px" fz="sm" fw={400} c="dimmed">
    <Text span c="var(--eg-ink)" fz={22} fw={650} lts="-0.02em">
      {amount}
    </Text>{' '}
    <span>{children}</span>
  </Group>
);

/** Buys a plan or changes to it. Cancellations and planned changes are undone in Billing. */
function GetStarted({ offer, pendingPlan, disabled, onChoose }: Choice & { offer: Offer }) {
  const { plan, name, status, isForSale, isFeatured } = offer;
  if (status === 'Cancelled' || status === 'Next') {
    return (
      <Button component={Link} to={`${paths.profile}#billing`} variant="default" fullWidth>
        See in Billing
      </Button>
    );
  }
  if (!isForSale) return null;
  return (
    <Button
      fullWidth
      variant={isFeatured ? 'filled' : 'light'}
      loading={pendingPlan === plan}
      disabled={disabled || (pendingPlan !== null && pendingPlan !== plan)}
      aria-label={`Get Started with ${name}`}
      onClick={() => onChoose(plan)}
    >
      Get Started
    </Button>
  );
}
