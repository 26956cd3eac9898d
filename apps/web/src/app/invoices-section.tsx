import { ErrorState } from '../components/error-state.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Invoices } from '../features/billing/components/invoices.tsx';
import { useProfile } from '../session/account.ts';

/** The invoices of whoever is signed in. */
export function InvoicesSection() {
  const { data: profile, error, refetch } = useProfile();
  if (profile) return <Invoices email={profile.email} />;
  if (!error) return <LoadingBlocks label="Loading your invoices" heights={[200]} />;
  return (
    <ErrorState
      title="Your invoices could not be loaded"
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
