import { KeysSummary } from '../features/api-keys/components/keys-summary.tsx';
import { Connections } from '../features/security/components/connections.tsx';
import { SecurityEvents } from '../features/security/components/security-events.tsx';
import { Sessions } from '../features/security/components/sessions.tsx';

export const SecuritySection = () => (
  <>
    <Sessions />
    <Connections />
    <KeysSummary />
    <SecurityEvents />
  </>
);
