import { paths } from '../../app/paths.ts';

/** The pages around the app, as the header and the menu name them. */
export const siteLinks: readonly { to: string; label: string }[] = [
  { to: paths.home, label: 'Home' },
  { to: paths.features, label: 'Features' },
  { to: paths.connector, label: 'Connector' },
  { to: paths.documentation, label: 'Doc' },
  { to: paths.pricing, label: 'Pricing' },
  { to: paths.faq, label: 'FAQs' },
  { to: paths.blog, label: 'Blog' },
];
