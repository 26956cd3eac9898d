import type { BillingPeriod } from '@engram/contract';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { periods } from '../plan-rules.ts';
import classes from './plan-tabs.module.css';

interface PlanTabsProps {
  period: BillingPeriod;
  /** How often the person's own plan is paid; null for the plan that costs nothing. */
  own: BillingPeriod | null;
  onChange: (period: BillingPeriod) => void;
  /** What the open tab shows. */
  children: ReactNode;
}

/** How often a plan is paid, as tabs. */
export function PlanTabs({ period, own, onChange, children }: PlanTabsProps) {
  return (
    <Tabs
      unstyled
      value={period}
      onChange={(value) => onChange(value as BillingPeriod)}
      classNames={{
        list: classes.list ?? '',
        tab: classes.tab ?? '',
        tabLabel: classes.label ?? '',
      }}
    >
      <Tabs.List aria-label="Billing period">
        {periods.map(({ period: value, label, discount }) => (
          <Tabs.Tab key={value} value={value}>
            {label} {discount && <span className={classes.discount}>{discount}</span>}
            {value === own && <span className={classes.own}>Your plan</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {periods.map(({ period: value }) => (
        <Tabs.Panel key={value} value={value} className={classes.panel}>
          {value === period && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
