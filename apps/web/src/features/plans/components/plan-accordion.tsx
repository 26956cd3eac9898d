import { Accordion, Text } from '@mantine/core';
import { useState } from 'react';
import { Pairs } from '../../../components/pairs.tsx';
import type { OffersProps } from '../offer.ts';
import { limits } from '../plan-rules.ts';
import { ContactUs, GetStarted } from './get-started.tsx';
import { PlanName, PlanPrice, UltimatePrice } from './plan-name.tsx';

const ULTIMATE = 'Ultimate';

/** What an item is known by: the same plan stays open when the period changes. Ids have no spaces. */
const keyOf = (name: string): string => name.replaceAll(/[^\p{L}\d]+/gu, '-');

/** The plans below each other, one open at a time; for small screens. */
export function PlanAccordion({ offers, ...choice }: OffersProps) {
  const [open, setOpen] = useState<string | null>(offers[0] ? keyOf(offers[0].name) : null);
  return (
    <Accordion variant="contained" radius={14} order={2} value={open} onChange={setOpen}>
      {offers.map((offer) => (
        <Accordion.Item key={offer.name} value={keyOf(offer.name)}>
          <Accordion.Control>
            <PlanName name={offer.name} standing={offer.standing} />{' '}
            <PlanPrice plan={offer.plan} per={offer.per} />
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
          <PlanName name={ULTIMATE} standing={null} /> <UltimatePrice />
        </Accordion.Control>
        <Accordion.Panel>
          <Text mb={14} c="dimmed">
            More questions or more room than Elite has: agree it with whoever runs this server.
          </Text>
          <ContactUs />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
