import { Outlet } from 'react-router';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { Sidebar } from '../features/shell/components/sidebar.tsx';
import { Desk } from './desk.tsx';
import classes from './layout.module.css';
import { RequireSession } from './require-session.tsx';
import { TermsGate } from './terms-gate.tsx';

/** The app's own pages: sidebar (a header on small screens), page, footer, and the evidence beside them. */
export function SignedInLayout() {
  return (
    <RequireSession>
      <div className={classes.app}>
        <Sidebar />
        <Header smallScreensOnly />
        <Desk>
          <div className={classes.column}>
            <main className={classes.main} id="main" tabIndex={-1}>
              <Outlet />
            </main>
            <Footer />
          </div>
        </Desk>
      </div>
      <TermsGate />
    </RequireSession>
  );
}
