import { KeysSummary } from '../features/api-keys/components/keys-summary.tsx';
import { Connections, Sessions } from '../features/security/components/access.tsx';
import { FilePasswords } from '../features/security/components/file-passwords.tsx';
import { Passkeys } from '../features/security/components/passkeys.tsx';
import { SecurityEvents } from '../features/security/components/security-events.tsx';

export default function SecuritySection() {
  return (
    <>
      <Sessions />
      <Passkeys />
      <Connections />
      <KeysSummary />
      <FilePasswords />
      <SecurityEvents />
    </>
  );
}
