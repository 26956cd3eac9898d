import type { BillingRecord } from '@engram/contract';
import { Tag } from '../../../components/tag.tsx';
import { capitalized } from '../../../format/plan-name.ts';

const tones: Partial<Record<BillingRecord['status'], 'warning' | 'danger'>> = {
  CANCELLED: 'warning',
  EXPIRED: 'danger',
};

/** How a plan stands. */
export const StatusPill = ({ status }: Pick<BillingRecord, 'status'>) => (
  <Tag tone={tones[status] ?? 'success'}>{capitalized(status.toLowerCase())}</Tag>
);
