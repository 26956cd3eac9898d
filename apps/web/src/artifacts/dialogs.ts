import { createContext, use } from 'react';

export interface DeletionRequest {
  artifactIds: readonly string[];
  name?: string;
  list?: string;
  elsewhere?: number;
  onConfirmed?: () => void;
  onClosed?: () => void;
}

export const DeleteDialogContext = createContext<(request: DeletionRequest) => void>(
  () => undefined,
);

export const useDeleteDialog = (): ((request: DeletionRequest) => void) => use(DeleteDialogContext);

export interface EditedNote {
  artifactId: string;
  fileName: string;
}

export const NoteEditorContext = createContext<(note: EditedNote) => void>(() => undefined);

export const useNoteEditor = (): ((note: EditedNote) => void) => use(NoteEditorContext);

export interface HandedIn {
  /** Of the browser's inbox; null for what is not stored there. */
  id: string | null;
  files: readonly File[];
  text: string;
  /** Names the file that a long text becomes. */
  title: string;
  leftOut: readonly string[];
  /** The web page to save; '' if it is something else. */
  page: string;
}

export interface UploadPanel {
  isOpen: boolean;
  open: () => void;
  handIn: (content: readonly HandedIn[]) => void;
}

export const UploadPanelContext = createContext<UploadPanel>({
  isOpen: false,
  open: () => undefined,
  handIn: () => undefined,
});

export const useUploadPanel = (): UploadPanel => use(UploadPanelContext);
