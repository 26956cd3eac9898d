import { createContext, use } from 'react';

/** Files that the user wants to delete. */
export interface DeletionRequest {
  artifactIds: readonly string[];
  /** The file's name, where it is one file. */
  name?: string;
  /** Names the list that contains all of the files. */
  list?: string;
  /** How many of the files are on other pages than the one that is shown. */
  elsewhere?: number;
  /** Called once the user has confirmed; the files are hidden from then on. */
  onConfirmed?: () => void;
  /** Called when the dialog is gone. */
  onClosed?: () => void;
}

/** Asks whether files are to be deleted, from anywhere in the signed-in app. */
export const DeleteDialogContext = createContext<(request: DeletionRequest) => void>(
  () => undefined,
);

export const useDeleteDialog = (): ((request: DeletionRequest) => void) => use(DeleteDialogContext);
