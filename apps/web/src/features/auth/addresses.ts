import type { Session } from '@engram/contract';
import { matchPath } from 'react-router';
import { paths } from '../../app/paths.ts';

const signInReasons: readonly [pattern: string, reason: string][] = [
  [paths.pricing, 'Sign in to see the plans.'],
  [paths.documentation, 'Sign in to read the documentation.'],
  [paths.faq, 'Sign in to read the FAQs.'],
  [paths.connector, 'Sign in to get the Connector.'],
  [paths.message, 'Sign in to see the result of your payment.'],
  [paths.connect, 'Sign in to decide what the program may do.'],
  [paths.device, 'Sign in to connect your device.'],
  [paths.share, 'Sign in to save what you shared.'],
  [paths.source, 'Sign in to open the source.'],
  [paths.search, 'Sign in to ask your files.'],
  [paths.history, 'Sign in to see your history.'],
  [paths.files, 'Sign in to see your files.'],
  [paths.keywords, 'Sign in to see your keywords.'],
  [paths.profile, 'Sign in to see your profile.'],
  [paths.api, 'Sign in to see your API keys.'],
];

/** Why the opened page needs a sign-in, as a sentence; null for other pages. */
export function reasonToSignIn(from: string | undefined): string | null {
  if (!from) return null;
  const [pathname = ''] = from.split(/[?#]/u, 1);
  return signInReasons.find(([pattern]) => matchPath(pattern, pathname))?.[1] ?? null;
}

/**
 * The page after signing in and accepting the terms: the page that the user opened, else the
 * questionnaire until it is answered, else the search if there are files.
 */
export function destinationAfterSignIn(
  session: Pick<Session, 'exist' | 'question'>,
  from: string | undefined,
): string {
  if (from) return from;
  if (session.question) return paths.questions;
  return session.exist ? paths.search : paths.home;
}

export interface SignInLink {
  email: string;
  key: string;
}

export function parseSignInLink(hash: string): SignInLink | null {
  const params = new URLSearchParams(hash.replace(/^#/u, ''));
  const email = params.get('email');
  const key = params.get('key');
  return email && key ? { email, key } : null;
}
