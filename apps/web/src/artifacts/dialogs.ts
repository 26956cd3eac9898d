import { createStore } from '../browser/store.ts';
import { isSignedIn, onSessionChange } from '../session/session.ts';

export interface DeletionRequest {
  artifactIds: readonly string[];
  name?: string;
  list?: string;
  elsewhere?: number;
  onConfirmed?: () => void;
  onClosed?: () => void;
}

/** The dialog that asks before files are deleted. The request stays while it closes. */
export const deleteDialog = createStore<DeletionRequest & { opened: boolean }>({
  opened: false,
  artifactIds: [],
});

export const askToDelete = (request: DeletionRequest): void =>
  deleteDialog.set({ ...request, opened: true });

export interface EditedNote {
  artifactId: string;
  fileName: string;
}

export const editedNote = createStore<EditedNote | null>(null);

/** Whether the upload panel is open. It is for signed-in users only. */
export const uploadPanel = createStore(false);

// The next user must not see this user's dialogs.
onSessionChange(() => {
  if (isSignedIn()) return;
  deleteDialog.set({ opened: false, artifactIds: [] });
  editedNote.set(null);
  uploadPanel.set(false);
});
