import { Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Outlet } from 'react-router';
import {
  DeleteDialogContext,
  NoteEditorContext,
  type DeletionRequest,
  type EditedNote,
} from '../artifacts/dialogs.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { Footer } from '../features/shell/components/footer.tsx';
import { Header } from '../features/shell/components/header.tsx';
import { BottomBar, Sidebar } from '../features/shell/components/sidebar.tsx';
import { PaletteContext } from '../features/shell/palette.ts';
import { EvidenceLayout } from './evidence-layout.tsx';
import classes from './layout.module.css';
import { LazyUploadTray } from './lazy-upload-tray.tsx';
import { RequireSession } from './require-session.tsx';
import { usePalette } from './use-palette.tsx';

const DeleteDialog = lazyPart(() => import('../features/files/components/delete-dialog.tsx'));

function DeleteDialogProvider({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<DeletionRequest | null>(null);
  const [opened, setOpened] = useState(false);
  const ask = (next: DeletionRequest): void => {
    setRequest(next);
    setOpened(true);
  };
  return (
    <DeleteDialogContext value={ask}>
      {children}
      {request && (
        <DeleteDialog request={request} opened={opened} onClose={() => setOpened(false)} />
      )}
    </DeleteDialogContext>
  );
}

const NoteEditor = lazyPart(() => import('../features/upload/components/note-editor.tsx'));

function NoteEditorProvider({ children }: { children: ReactNode }) {
  const [note, setNote] = useState<EditedNote | null>(null);
  return (
    <NoteEditorContext value={setNote}>
      {children}
      {note && <NoteEditor key={note.artifactId} note={note} onClose={() => setNote(null)} />}
    </NoteEditorContext>
  );
}

/**
 * The layout for signed-in users: sidebar (or header and bottom bar on small screens), page, footer and
 * evidence.
 */
export default function SignedInLayout() {
  const palette = usePalette();
  return (
    <RequireSession>
      <PaletteContext value={palette.open}>
        <DeleteDialogProvider>
          <NoteEditorProvider>
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
                {palette.dialogs}
                <LazyUploadTray />
              </EvidenceLayout>
              <BottomBar />
            </div>
          </NoteEditorProvider>
        </DeleteDialogProvider>
      </PaletteContext>
    </RequireSession>
  );
}
