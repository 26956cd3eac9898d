import { KeysSummary } from '../features/api-keys/components/keys-summary.tsx';
import { Sessions } from '../features/security/components/sessions.tsx';

/** Who and what can reach the account. */
export const SecuritySection = () => (
  <>
    <Sessions />
    <KeysSummary />
  </>
);
