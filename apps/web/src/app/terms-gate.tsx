import { lazy, Suspense, useEffect } from 'react';
import { useProfile } from '../session/account.ts';
import { notifyErrorOnce } from '../components/notify.ts';

const TermsModal = lazy(async () => ({
  default: (await import('../features/auth/components/terms-modal.tsx')).TermsModal,
}));

/** Nobody goes on without having accepted the terms, whichever way they came in. */
export function TermsGate() {
  const { data: profile, refetch, error, isLoadingError } = useProfile();
  useEffect(() => {
    // A server that is not there at all is told of by the notice of the connection.
    const isTold = error instanceof TypeError;
    if (isLoadingError && !isTold) notifyErrorOnce('Your profile could not be loaded', error);
  }, [isLoadingError, error]);
  return (
    profile?.isAgreedTerms === false && (
      <Suspense>
        <TermsModal onAgreed={() => void refetch()} />
      </Suspense>
    )
  );
}
