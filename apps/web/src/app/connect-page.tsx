import { getConnectionRequest } from '@engram/contract/browser';
import { useParams } from 'react-router';
import { useCall } from '../api/use-call.ts';
import { useAnswerRequest } from '../features/connections/api.ts';
import { ErrorState } from '../components/error-state.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Consent } from '../features/connections/components/consent.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { ConnectLayout, SpokenHeading } from './connect-layout.tsx';
import { RequireSession } from './require-session.tsx';
import { TermsGate } from './terms-gate.tsx';

/** A program asks to be let in; whoever is not signed in does that first, and comes back. */
export function ConnectPage() {
  return (
    <RequireSession>
      <ConnectLayout>
        <Request />
      </ConnectLayout>
      <TermsGate />
    </RequireSession>
  );
}

function Request() {
  useDocumentTitle('Connect');
  const { uid = '' } = useParams();
  const {
    data: request,
    error,
    refetch,
  } = useCall(
    getConnectionRequest,
    { params: { uid } },
    // It is the same until it is answered.
    { staleTime: Infinity, retry: false },
  );
  const answer = useAnswerRequest(uid);
  if (error) {
    return (
      <>
        <SpokenHeading>Connect</SpokenHeading>
        <ErrorState
          title="This request cannot be shown"
          error={error}
          onRetry={() => void refetch()}
        />
      </>
    );
  }
  if (!request) return <LoadingBlocks label="Loading the request" heights={[30, 90, 140]} />;
  return (
    <Consent
      request={request}
      // Once answered the browser is on its way.
      pending={answer.isPending || answer.isSuccess}
      error={answer.error}
      onAnswer={(decision) => answer.mutate(decision)}
    />
  );
}
