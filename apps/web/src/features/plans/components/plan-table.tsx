import { Table } from '@mantine/core';
import type { Offer, OffersProps } from '../offer.ts';
import { limits } from '../plan-rules.ts';
import { ContactUs, GetStarted } from './get-started.tsx';
import { PlanName, PlanPrice, UltimatePrice } from './plan-name.tsx';
import classes from './plan-table.module.css';

/** The plans beside each other, limit by limit; for wide screens. */
export function PlanTable({ offers, ...choice }: OffersProps) {
  return (
    <div className={classes.card}>
      <Table
        className={classes.table ?? ''}
        layout="fixed"
        fz="inherit"
        lh="inherit"
        withRowBorders={false}
      >
        <Table.Caption className="eg-visually-hidden">
          The plans, their prices and limits
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              <span className="eg-visually-hidden">Limit</span>
            </Table.Th>
            {offers.map((offer) => (
              <Head key={offer.plan.name} offer={offer} />
            ))}
            <Table.Th scope="col">
              <PlanName name="Ultimate" standing={null} /> <UltimatePrice />
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {limits.map(({ label, of }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row">{label}</Table.Th>
              {offers.map(({ plan, standing }) => (
                <Table.Td key={plan.name} data-own={standing !== null || undefined}>
                  {of(plan)}
                </Table.Td>
              ))}
              <Table.Td>As agreed</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">
              <span className="eg-visually-hidden">How to get it</span>
            </Table.Th>
            {offers.map((offer) => (
              <Table.Td key={offer.plan.name} data-own={offer.standing !== null || undefined}>
                <GetStarted offer={offer} {...choice} />
              </Table.Td>
            ))}
            <Table.Td>
              <ContactUs />
            </Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </div>
  );
}

function Head({ offer }: { offer: Offer }) {
  const { name, standing, plan, per } = offer;
  return (
    <Table.Th scope="col" data-own={standing !== null || undefined}>
      <PlanName name={name} standing={standing} /> <PlanPrice plan={plan} per={per} />
    </Table.Th>
  );
}
