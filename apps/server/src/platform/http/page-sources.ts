/** Servers that pages may use beyond the app's own. */
export interface PageSources {
  scripts?: readonly string[];
  connections?: readonly string[];
  frames?: readonly string[];
  images?: readonly string[];
}

/** What Stripe's script and its embedded checkout need, as it documents. */
const STRIPE_SOURCES: PageSources = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://checkout.stripe.com'],
  connections: ['https://*.stripe.com'],
  frames: ['https://*.stripe.com'],
  images: ['https://*.stripe.com'],
};

/** The contact page's map, in a frame of its own. */
const MAP_SOURCES: PageSources = { frames: ['https://www.openstreetmap.org'] };

/**
 * What the pages need as the server is set up. The app is one document: what one of its pages needs
 * stands on all of them.
 */
export const pageSourcesOf = (config: {
  payments?: string;
  contactPosition?: object | undefined;
}): PageSources[] => [
  ...(config.payments === 'stripe' ? [STRIPE_SOURCES] : []),
  ...(config.contactPosition ? [MAP_SOURCES] : []),
];

/** The directives of a content policy that let pages use these servers beside their own. */
export function directivesFor(all: readonly PageSources[]) {
  const frames = all.flatMap(({ frames = [] }) => frames);
  return {
    scriptSrc: ["'self'", ...all.flatMap(({ scripts = [] }) => scripts)],
    connectSrc: ["'self'", ...all.flatMap(({ connections = [] }) => connections)],
    imgSrc: ["'self'", 'data:', 'blob:', ...all.flatMap(({ images = [] }) => images)],
    // Without it frames fall under the default: the app's own.
    ...(frames.length > 0 ? { frameSrc: ["'self'", ...frames] } : {}),
  };
}
