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

export interface PanelContent {
  /** The id in the browser's share inbox; null if it is not stored there. */
  id: string | null;
  files: readonly File[];
  text: string;
  /** The name of the file if the text is too long for a note. */
  title: string;
  leftOut: readonly string[];
  /** The web page to save; '' if it is something else. */
  page: string;
}

export interface UploadPanel {
  isOpen: boolean;
  open: () => void;
  addContent: (content: readonly PanelContent[]) => void;
}

export const UploadPanelContext = createContext<UploadPanel>({
  isOpen: false,
  open: () => undefined,
  addContent: () => undefined,
});

export const useUploadPanel = (): UploadPanel => use(UploadPanelContext);
