export interface PageSettings {
  payments?: string;
  contactPosition?: object | undefined;
}

/** Hosts that Stripe documents for its script and embedded checkout. */
const STRIPE_SCRIPTS = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://checkout.stripe.com',
];
const STRIPE = 'https://*.stripe.com';

const MAP = 'https://www.openstreetmap.org';

export function directivesFor({ payments, contactPosition }: PageSettings) {
  const isStripe = payments === 'stripe';
  const stripe = isStripe ? [STRIPE] : [];
  const frames = [...stripe, ...(contactPosition ? [MAP] : [])];
  return {
    scriptSrc: ["'self'", ...(isStripe ? STRIPE_SCRIPTS : [])],
    connectSrc: ["'self'", ...stripe],
    imgSrc: ["'self'", 'data:', 'blob:', ...stripe],
    ...(frames.length > 0 ? { frameSrc: ["'self'", ...frames] } : {}),
  };
}
