import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Caller } from '../../platform/http/admission.ts';

/** One call of an assistant. */
export interface Visit {
  caller: Caller;
  ip: string;
  /** What links to this server begin with. */
  origin: string;
}

/** Hands a call on through the protocol's library, which calls this its authentication. */
export const asAuthInfo = (visit: Visit): AuthInfo => ({
  // The key itself stays behind: nothing beyond the admission needs it.
  token: '',
  clientId: visit.caller.userId,
  scopes: visit.caller.readOnly ? ['read'] : ['read', 'write'],
  extra: { visit },
});

/** The call that was handed on. */
export function visitOf(authInfo: AuthInfo | undefined): Visit {
  const visit = authInfo?.extra?.['visit'] as Visit | undefined;
  if (visit === undefined) throw new Error('A call came past the admission.');
  return visit;
}
