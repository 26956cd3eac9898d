import { useSearchParams } from 'react-router';
import { PaymentResult } from '../features/plans/components/payment-result.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';

/** The page that checkouts return to. */
export function MessagePage() {
  useDocumentTitle('Payment');
  const [params] = useSearchParams();
  return <PaymentResult sessionId={params.get('session_id')} />;
}
