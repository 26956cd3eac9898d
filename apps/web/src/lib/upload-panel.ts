import { createContext, use } from 'react';

export interface UploadPanel {
  /** Opens the panel; what was in it when it was closed is still there. */
  open: () => void;
}

export const UploadPanelContext = createContext<UploadPanel>({ open: () => undefined });

/** The upload panel, from anywhere in the app. */
export const useUploadPanel = (): UploadPanel => use(UploadPanelContext);
