import type { BillingPeriod } from '@engram/contract';
import { Stack, Tabs, Text } from '@mantine/core';
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
      variant="none"
      value={period}
      onChange={(value) => onChange(value as BillingPeriod)}
      classNames={{ tab: classes.tab ?? '' }}
    >
      <Tabs.List
        maw={640}
        p={4}
        mb={20}
        bdrs={14}
        bg="var(--eg-surface-hover)"
        aria-label="Billing period"
      >
        {periods.map(({ period: value, label, discount }) => (
          <Tabs.Tab key={value} value={value}>
            <Stack component="span" align="center" gap={4}>
              {label} {discount && <Mark c="indigo">{discount}</Mark>}
              {value === own && <Mark c="dimmed">Your plan</Mark>}
            </Stack>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {periods.map(({ period: value }) => (
        <Tabs.Panel key={value} value={value}>
          {value === period && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Says below the period what is particular about it. */
const Mark = (props: { c: string; children: string }) => <Text span fz={11} fw={650} {...props} />;
