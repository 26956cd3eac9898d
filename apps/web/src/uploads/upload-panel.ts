import { createContext, use } from 'react';

/** Something that comes into the panel from elsewhere, such as another app. */
export interface HandedIn {
  id: string;
  files: readonly File[];
  text: string;
  /** What the text is called where it has to become a file. */
  title: string;
  /** Names of files that could not come along. */
  leftOut: readonly string[];
}

export interface UploadPanel {
  isOpen: boolean;
  /** Opens the panel; what was in it when it was closed is still there. */
  open: () => void;
  /** Opens the panel with more content in it. */
  handIn: (content: readonly HandedIn[]) => void;
}

export const UploadPanelContext = createContext<UploadPanel>({
  isOpen: false,
  open: () => undefined,
  handIn: () => undefined,
});

/** The upload panel, from anywhere in the app. */
export const useUploadPanel = (): UploadPanel => use(UploadPanelContext);
