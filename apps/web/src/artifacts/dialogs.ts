import { createContext, use } from 'react';

export interface DeletionRequest {
  artifactIds: readonly string[];
  name?: string;
  list?: string;
  /** How many of the files are on other pages than the one that is shown. */
  elsewhere?: number;
  /** Called once the user has confirmed; the files are hidden from then on. */
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

/** Content for the upload panel that comes from another app. */
export interface HandedIn {
  id: string;
  files: readonly File[];
  text: string;
  /** Names the file that a long text becomes. */
  title: string;
  /** Names of files that could not be passed on. */
  leftOut: readonly string[];
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
