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
  /** The plan whose checkout is being opened. */
  opening: Plan | null;
  disabled: boolean;
  onChoose: (plan: Plan) => void;
}

interface OffersProps extends Choice {
  offers: readonly Offer[];
}

/** The plans with their prices and limits: a table, or on small screens an accordion. */
export function Offers(props: OffersProps) {
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  return isWide ? <OffersTable {...props} /> : <OffersAccordion {...props} />;
}

function OffersTable({ offers, ...choice }: OffersProps) {
  return (
    <Paper withBorder radius={16}>
      <TableFrame className={classes.table} caption="The plans, their prices and limits">
        <thead>
          <tr>
            <th scope="col">
              <span className="eg-visually-hidden">Limit</span>
            </th>
            {offers.map((offer) => (
              <th key={offer.plan.name} scope="col" data-own={offer.status !== null || undefined}>
                <PlanHead offer={offer} />
              </th>
            ))}
            <th scope="col">
              <UltimateHead />
            </th>
          </tr>
        </thead>
        <tbody>
          {limits.map(({ label, of }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {offers.map(({ plan, status }) => (
                <td key={plan.name} data-own={status !== null || undefined}>
                  {of(plan)}
                </td>
              ))}
              <td>As agreed</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              <span className="eg-visually-hidden">How to get it</span>
            </th>
            {offers.map((offer) => (
              <td key={offer.plan.name} data-own={offer.status !== null || undefined}>
                <GetStarted offer={offer} {...choice} />
              </td>
            ))}
            <td>
              <ContactUs />
            </td>
          </tr>
        </tfoot>
      </TableFrame>
    </Paper>
  );
}

const ULTIMATE = 'Ultimate';

/** The same plan stays open when the period changes. Ids have no spaces. */
const keyOf = (name: string): string => name.replaceAll(/[^\p{L}\d]+/gu, '-');

function OffersAccordion({ offers, ...choice }: OffersProps) {
  const [open, setOpen] = useState<string | null>(offers[0] ? keyOf(offers[0].name) : null);
  return (
    <Accordion variant="contained" radius={14} order={2} value={open} onChange={setOpen}>
      {offers.map((offer) => (
        <Accordion.Item key={offer.name} value={keyOf(offer.name)}>
          <Accordion.Control>
            <PlanHead offer={offer} />
          </Accordion.Control>
          <Accordion.Panel>
            <Pairs
              lined
              mb={16}
              pairs={limits.map(({ label, of }) => ({ label, value: of(offer.plan) }))}
            />
            <GetStarted offer={offer} {...choice} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
      <Accordion.Item value={ULTIMATE}>
        <Accordion.Control>
          <UltimateHead />
        </Accordion.Control>
        <Accordion.Panel>
          <Text mb={14} c="dimmed">
            More questions or more storage than Elite: agree it with the operator of this server.
          </Text>
          <ContactUs />
        </Accordion.Panel>
      </Accordion.Item>
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
      <Price amount={formatDollars(plan.amount)}>{per ?? 'for as long as you like'}</Price>
    </>
  );
}

/** The plan that has no price, as it is agreed with the operator. */
const UltimateHead = () => (
  <>
    <Name>{ULTIMATE}</Name> <Price amount="On request">made to measure</Price>
  </>
);

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

/** Buys a plan or changes to it. A cancelled plan is resumed, and the next one withdrawn, in Billing. */
function GetStarted({ offer, opening, disabled, onChoose }: Choice & { offer: Offer }) {
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
      loading={opening === plan}
      disabled={disabled || (opening !== null && opening !== plan)}
      aria-label={`Get Started with ${name}`}
      onClick={() => onChoose(plan)}
    >
      Get Started
    </Button>
  );
}

const ContactUs = () => (
  <Button component={Link} to={paths.contact} variant="default" fullWidth>
    Contact Us
  </Button>
);
