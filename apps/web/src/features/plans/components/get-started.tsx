import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import type { Offer, OffersProps } from '../offer.ts';

interface GetStartedProps extends Omit<OffersProps, 'offers'> {
  offer: Offer;
}

/**
 * The button that buys a plan or changes to it; a plan that is not for sale has none. What is
 * cancelled, or was chosen to follow, is resumed or taken back in Billing.
 */
export function GetStarted({ offer, opening, disabled, onChoose }: GetStartedProps) {
  const { plan, name, standing, forSale, featured } = offer;
  if (standing === 'Cancelled' || standing === 'Next') {
    return (
      <Button component={Link} to={`${paths.profile}#billing`} variant="default" fullWidth>
        See in Billing
      </Button>
    );
  }
  if (!forSale) return null;
  return (
    <Button
      fullWidth
      variant={featured ? 'filled' : 'light'}
      loading={opening === plan}
      disabled={disabled || (opening !== null && opening !== plan)}
      aria-label={`Get Started with ${name}`}
      onClick={() => onChoose(plan)}
    >
      Get Started
    </Button>
  );
}

/** The way to whoever runs the server. */
export const ContactUs = () => (
  <Button component={Link} to={paths.contact} variant="default" fullWidth>
    Contact Us
  </Button>
);
