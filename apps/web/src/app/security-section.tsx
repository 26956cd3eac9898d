import { KeysSummary } from '../features/api-keys/components/keys-summary.tsx';
import { Connections, Sessions } from '../features/security/components/access.tsx';
import { SecurityEvents } from '../features/security/components/security-events.tsx';

export const SecuritySection = () => (
  <>
    <Sessions />
    <Connections />
    <KeysSummary />
    <SecurityEvents />
  </>
);
