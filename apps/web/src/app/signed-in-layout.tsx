import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { Sidebar } from '../features/shell/components/sidebar.tsx';
import { useProfile } from '../lib/account.ts';
import classes from './layout.module.css';
import { RequireSession } from './require-session.tsx';

const TermsModal = lazy(async () => ({
  default: (await import('../features/auth/components/terms-modal.tsx')).TermsModal,
}));

/** Nobody goes on without having accepted the terms, whichever way they came in. */
function TermsGate() {
  const { data: profile, refetch } = useProfile();
  return (
    profile?.isAgreedTerms === false && (
      <Suspense>
        <TermsModal opened onAgreed={() => void refetch()} />
      </Suspense>
    )
  );
}

/** The app's own pages: sidebar (a header on small screens), page, footer. */
export function SignedInLayout() {
  return (
    <RequireSession>
      <div className={classes.app}>
        <Sidebar />
        <Header smallScreensOnly />
        <div className={classes.column}>
          <main className={classes.main} id="main" tabIndex={-1}>
            <Outlet />
          </main>
          <Footer />
        </div>
      </div>
      <TermsGate />
    </RequireSession>
  );
}
