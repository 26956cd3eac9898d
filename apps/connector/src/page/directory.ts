/** A folder of the person's home, and the folders in it. */
export interface Directory {
  path: string;
  /** The folder above it; null at the top of what is shown. */
  parent: string | null;
  trail: { name: string; path: string }[];
  folders: { name: string; path: string }[];
  /** Folders beyond the first thousand, which nobody would scroll to. */
  more: number;
}
