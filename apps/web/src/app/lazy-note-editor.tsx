import { lazy, Suspense, useState, type ReactNode } from 'react';
import { NoteEditorContext, type EditedNote } from '../artifacts/dialogs.ts';

const NoteEditor = lazy(() => import('../features/upload/components/note-editor.tsx'));

/** The editor of notes for the pages inside; it loads when it is first opened. */
export function LazyNoteEditor({ children }: { children: ReactNode }) {
  const [note, setNote] = useState<EditedNote | null>(null);
  return (
    <NoteEditorContext value={setNote}>
      {children}
      {note && (
        <Suspense>
          <NoteEditor key={note.artifactId} note={note} onClose={() => setNote(null)} />
        </Suspense>
      )}
    </NoteEditorContext>
  );
}
