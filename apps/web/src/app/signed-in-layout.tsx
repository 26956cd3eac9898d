import { Stack } from '@mantine/core';
import { Outlet } from 'react-router';
import { deleteDialog, editedNote } from '../artifacts/dialogs.ts';
import { useStore } from '../browser/store.ts';
import { lazyDialog, lazyPart } from '../components/lazy-part.tsx';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { BottomBar, Sidebar } from '../features/shell/components/sidebar.tsx';
import { EvidenceLayout } from './evidence-layout.tsx';
import classes from './layout.module.css';
import { LazyUploadTray } from './lazy-upload-tray.tsx';
import { PaletteDialogs } from './palette-dialogs.tsx';
import { RequireSession } from './require-session.tsx';

const DeleteDialog = lazyDialog(() => import('../features/files/components/delete-dialog.tsx'));
const NoteEditor = lazyPart(() => import('../features/upload/components/note-editor.tsx'));

/**
 * The layout for signed-in users: sidebar (or header and bottom bar on small screens), page, footer and
 * evidence.
 */
export default function SignedInLayout() {
  const isDeleteDialogOpen = useStore(deleteDialog, ({ opened }) => opened);
  const note = useStore(editedNote);
  return (
    <RequireSession>
      <div className={classes.app}>
        <Sidebar />
        <Header smallScreensOnly />
        <EvidenceLayout>
          <Stack miw={0} gap={0}>
            <main id="main" tabIndex={-1}>
              <Outlet />
            </main>
            <Footer />
          </Stack>
          <PaletteDialogs />
          <LazyUploadTray />
        </EvidenceLayout>
        <BottomBar />
      </div>
      <DeleteDialog opened={isDeleteDialogOpen} />
      {note && <NoteEditor key={note.artifactId} {...note} />}
    </RequireSession>
  );
}
