import type { Session } from '@engram/contract';
import { paths } from '../../app/paths.ts';

/**
 * Where a person goes after signing in (and accepting the terms): on to the page they came for,
 * else to the questionnaire while it is unanswered, else to the search once there are files.
 */
export function destinationAfterSignIn(
  session: Pick<Session, 'exist' | 'question'>,
  from: string | undefined,
): string {
  if (from) return from;
  if (session.question) return paths.questions;
  return session.exist ? paths.search : paths.home;
}
