import { getConnectionRequest } from '@engram/contract/browser';
import { useParams } from 'react-router';
import { useCall } from '../api/use-call.ts';
import { Consent, useAnswerRequest } from '../features/connections/components/consent.tsx';
import { ErrorState } from '../components/empty-state.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { SpokenHeading } from '../components/page.tsx';
import { ConnectLayout } from './card-layout.tsx';
import { RequireSession } from './require-session.tsx';

export default function ConnectPage() {
  return (
    <RequireSession>
      <ConnectLayout>
        <Request />
      </ConnectLayout>
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
  } = useCall(getConnectionRequest, { params: { uid } }, { staleTime: Infinity, retry: false });
  const answer = useAnswerRequest(uid);
  if (error) {
    return (
      <>
        <SpokenHeading>Connect</SpokenHeading>
        <ErrorState title="This request cannot be shown" error={error} onRetry={refetch} />
      </>
    );
  }
  if (!request) return <LoadingBlocks label="Loading the request" heights={[30, 90, 140]} />;
  return (
    <Consent
      request={request}
      // After the response the browser leaves the page.
      pending={answer.isPending || answer.isSuccess}
      error={answer.error}
      onAnswer={(decision) => answer.mutate(decision)}
    />
  );
}
