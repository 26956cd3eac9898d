import type { Plan } from '@engram/contract';
import type { Standing } from './plan-rules.ts';

/** A plan as the page offers it. */
export interface Offer {
  plan: Plan;
  /** 'Engram - Pro'. */
  name: string;
  /** 'per month', or null for the plan that costs nothing. */
  per: string | null;
  standing: Standing;
  forSale: boolean;
  /** The page has one button that stands out: that of the first plan that is for sale. */
  featured: boolean;
}

/** What both layouts of the offers are given. */
export interface OffersProps {
  offers: readonly Offer[];
  /** The plan whose checkout is being opened. */
  opening: Plan | null;
  /** Buying has to wait until the plans are known. */
  disabled: boolean;
  onChoose: (plan: Plan) => void;
}
