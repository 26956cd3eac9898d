/**
 * The parts of `resedit` that are used. Its own declarations include the DOM types, which change the
 * types of Node's calls.
 */
export interface ResourceEntry {
  type: number | string;
  id: number | string;
  lang: number | string;
  bin: ArrayBuffer;
}

export interface NtExecutable {
  newHeader: { optionalHeader: { subsystem: number } };
  generate(): ArrayBuffer;
}

export const NtExecutable: {
  from(file: Uint8Array, options?: { ignoreCert?: boolean }): NtExecutable;
};

export interface NtExecutableResource {
  entries: ResourceEntry[];
  outputResource(program: NtExecutable): void;
}

export const NtExecutableResource: { from(program: NtExecutable): NtExecutableResource };

interface Language {
  lang: number;
  codepage: number;
}

interface VersionInfo {
  lang: number | string;
  setFileVersion(version: string, lang: number): void;
  setProductVersion(version: string, lang: number): void;
  setStringValues(language: Language, values: Record<string, string>): void;
  getStringValues(language: Language): Record<string, string>;
  outputToResourceEntries(entries: ResourceEntry[]): void;
}

interface RawIconItem {
  width: number;
  height: number;
}

interface IconGroupEntry {
  id: number | string;
  lang: number | string;
  getIconItemsFromEntries(entries: readonly ResourceEntry[]): RawIconItem[];
}

export const Resource: {
  VersionInfo: {
    createEmpty(): VersionInfo;
    fromEntries(entries: readonly ResourceEntry[]): VersionInfo[];
  };
  IconGroupEntry: {
    fromEntries(entries: readonly ResourceEntry[]): IconGroupEntry[];
    replaceIconsForResource(
      entries: ResourceEntry[],
      id: number | string,
      lang: number | string,
      icons: readonly RawIconItem[],
    ): void;
  };
};

export const Data: {
  RawIconItem: {
    from(picture: ArrayBuffer, width: number, height: number, bits: number): RawIconItem;
  };
};
