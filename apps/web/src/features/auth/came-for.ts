import { matchPath } from 'react-router';
import { paths } from '../../app/paths.ts';

/** What signing in is for, by the page that somebody came for. */
const reasons: readonly [pattern: string, reason: string][] = [
  [paths.pricing, 'Sign in to see the plans.'],
  [paths.documentation, 'Sign in to read the documentation.'],
  [paths.faq, 'Sign in to read the FAQs.'],
  [paths.connector, 'Sign in to get the Connector.'],
  [paths.message, 'Sign in to see what became of your payment.'],
  [paths.connect, 'Sign in to decide what the program may do.'],
  [paths.device, 'Sign in to connect your device.'],
  [paths.share, 'Sign in to keep what you shared.'],
  [paths.source, 'Sign in to open the source.'],
  [paths.search, 'Sign in to ask your files.'],
  [paths.history, 'Sign in to see your history.'],
  [paths.files, 'Sign in to see your files.'],
  [paths.keywords, 'Sign in to see your keywords.'],
  [paths.profile, 'Sign in to see your profile.'],
  [paths.api, 'Sign in to see your API keys.'],
];

/** Why somebody who came for a page has to sign in, as a sentence; null where nothing is to be said. */
export function reasonToSignIn(from: string | undefined): string | null {
  if (!from) return null;
  const [pathname = ''] = from.split(/[?#]/u, 1);
  return reasons.find(([pattern]) => matchPath(pattern, pathname))?.[1] ?? null;
}
