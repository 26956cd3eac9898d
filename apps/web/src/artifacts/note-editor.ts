import { createContext, use } from 'react';

/** A note that is to be edited. */
export interface EditedNote {
  artifactId: string;
  fileName: string;
}

/** Opens the editor of a note, from anywhere in the signed-in app. */
export const NoteEditorContext = createContext<(note: EditedNote) => void>(() => undefined);

export const useNoteEditor = (): ((note: EditedNote) => void) => use(NoteEditorContext);
