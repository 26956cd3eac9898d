import type { ReactNode } from 'react';

/** Where an entry of the palette stands, in the order in which they are shown. */
export type EntryGroup = 'Ask' | 'Files' | 'Questions' | 'Keywords' | 'Pages' | 'Commands';

/** Something that can be chosen in the palette. */
export interface PaletteEntry {
  /** Unlike those of all others. */
  id: string;
  group: EntryGroup;
  label: string;
  /** Stands quietly behind the label. */
  detail?: string;
  icon: ReactNode;
  /** Keys that do the same. */
  keys?: readonly string[];
  run: () => void;
}
