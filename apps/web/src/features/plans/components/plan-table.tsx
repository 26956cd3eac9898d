import { Paper } from '@mantine/core';
import { TableFrame } from '../../../components/table.tsx';
import type { Offer, OffersProps } from '../offer.ts';
import { limits } from '../plan-rules.ts';
import { ContactUs, GetStarted } from './get-started.tsx';
import { PlanName, PlanPrice, UltimatePrice } from './plan-name.tsx';
import classes from './plan-table.module.css';

/** The plans beside each other, limit by limit; for wide screens. */
export function PlanTable({ offers, ...choice }: OffersProps) {
  return (
    <Paper withBorder radius={16}>
      <TableFrame className={classes.table} caption="The plans, their prices and limits">
        <thead>
          <tr>
            <th scope="col">
              <span className="eg-visually-hidden">Limit</span>
            </th>
            {offers.map((offer) => (
              <Head key={offer.plan.name} offer={offer} />
            ))}
            <th scope="col">
              <PlanName name="Ultimate" standing={null} /> <UltimatePrice />
            </th>
          </tr>
        </thead>
        <tbody>
          {limits.map(({ label, of }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {offers.map(({ plan, standing }) => (
                <td key={plan.name} data-own={standing !== null || undefined}>
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
              <td key={offer.plan.name} data-own={offer.standing !== null || undefined}>
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

function Head({ offer }: { offer: Offer }) {
  const { name, standing, plan, per } = offer;
  return (
    <th scope="col" data-own={standing !== null || undefined}>
      <PlanName name={name} standing={standing} /> <PlanPrice plan={plan} per={per} />
    </th>
  );
}
