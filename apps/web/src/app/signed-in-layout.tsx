import { Stack } from '@mantine/core';
import { Outlet } from 'react-router';
import { BottomBar } from '../features/shell/components/bottom-bar.tsx';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { Sidebar } from '../features/shell/components/sidebar.tsx';
import { PaletteContext } from '../features/shell/palette.ts';
import { Desk } from './desk.tsx';
import classes from './layout.module.css';
import { LazyDeleteDialog } from './lazy-delete-dialog.tsx';
import { LazyIntake } from './lazy-intake.tsx';
import { LazyNoteEditor } from './lazy-note-editor.tsx';
import { RequireSession } from './require-session.tsx';
import { TermsGate } from './terms-gate.tsx';
import { usePalette } from './use-palette.tsx';

/**
 * The app's own pages: sidebar (a header and a bottom bar on small screens), page, footer, and the
 * evidence beside them.
 */
export function SignedInLayout() {
  const palette = usePalette();
  return (
    <RequireSession>
      <PaletteContext value={palette.open}>
        <LazyDeleteDialog>
          <LazyNoteEditor>
            <div className={classes.app}>
              <Sidebar />
              <Header smallScreensOnly />
              <Desk>
                <Stack miw={0} gap={0}>
                  <main id="main" tabIndex={-1}>
                    <Outlet />
                  </main>
                  <Footer />
                </Stack>
                {palette.dialogs}
                <LazyIntake />
              </Desk>
              <BottomBar />
            </div>
          </LazyNoteEditor>
        </LazyDeleteDialog>
        <TermsGate />
      </PaletteContext>
    </RequireSession>
  );
}
