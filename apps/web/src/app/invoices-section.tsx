import { LoadState } from '../components/loading-blocks.tsx';
import { Invoices } from '../features/billing/components/invoices.tsx';
import { useProfile } from '../session/account.ts';

export function InvoicesSection() {
  const call = useProfile();
  if (call.data) return <Invoices email={call.data.email} />;
  return <LoadState call={call} what="your invoices" heights={[200]} />;
}
