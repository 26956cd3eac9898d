/** Settings by which pages use servers beyond the app's own. */
export interface PageSettings {
  payments?: string;
  contactPosition?: object | undefined;
}

/** What Stripe's script and its embedded checkout need, as it documents. */
const STRIPE_SCRIPTS = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://checkout.stripe.com',
];
const STRIPE = 'https://*.stripe.com';

/** The contact page's map, in a frame of its own. */
const MAP = 'https://www.openstreetmap.org';

/**
 * The directives of a content policy that let pages use what they need beside their own server. The
 * app is one document: what one of its pages needs stands on all of them.
 */
export function directivesFor({ payments, contactPosition }: PageSettings) {
  const isStripe = payments === 'stripe';
  const stripe = isStripe ? [STRIPE] : [];
  const frames = [...stripe, ...(contactPosition ? [MAP] : [])];
  return {
    scriptSrc: ["'self'", ...(isStripe ? STRIPE_SCRIPTS : [])],
    connectSrc: ["'self'", ...stripe],
    imgSrc: ["'self'", 'data:', 'blob:', ...stripe],
    // Without it frames fall under the default: the app's own.
    ...(frames.length > 0 ? { frameSrc: ["'self'", ...frames] } : {}),
  };
}
