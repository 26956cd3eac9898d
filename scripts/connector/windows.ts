import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { windowsIcons } from './icons.ts';
import { version } from './page-files.ts';

/** A program with windows, for which none to read and write text in is opened. */
export const WITHOUT_CONSOLE = 2;

/** The kind of resource that says a name and a version. */
const VERSION_RESOURCE = 16;
const ENGLISH = 0x409;
const UNICODE = 1200;
export const language = { lang: ENGLISH, codepage: UNICODE };

function describeVersion(resources: NtExecutableResource): void {
  const fourParts = `${version.split('-')[0]}.0`;
  const info = Resource.VersionInfo.createEmpty();
  info.lang = ENGLISH;
  info.setFileVersion(fourParts, ENGLISH);
  info.setProductVersion(fourParts, ENGLISH);
  info.setStringValues(language, {
    CompanyName: 'Engram',
    FileDescription: 'Engram Connector',
    FileVersion: version,
    InternalName: 'engram-connector',
    LegalCopyright: 'Apache-2.0',
    OriginalFilename: 'engram-connector.exe',
    ProductName: 'Engram Connector',
    ProductVersion: version,
  });
  info.outputToResourceEntries(resources.entries);
}

async function drawIcon(resources: NtExecutableResource): Promise<void> {
  const icons = (await windowsIcons()).map(({ size, png }) => {
    const bytes = new Uint8Array(png);
    return Data.RawIconItem.from(bytes.buffer, size, size, 32);
  });
  const [group] = Resource.IconGroupEntry.fromEntries(resources.entries);
  Resource.IconGroupEntry.replaceIconsForResource(
    resources.entries,
    group?.id ?? 1,
    group?.lang ?? ENGLISH,
    icons,
  );
}

/**
 * Makes Node's program for Windows the Connector's: its icon, its name and version, and no console
 * that opens with it. What is changed is no longer what was signed, so the signature goes.
 */
export async function dressForWindows(node: Buffer): Promise<Buffer> {
  const program = NtExecutable.from(node, { ignoreCert: true });
  program.newHeader.optionalHeader.subsystem = WITHOUT_CONSOLE;
  const resources = NtExecutableResource.from(program);
  // Node's own names would stand beside the new ones, and Windows shows the first.
  resources.entries = resources.entries.filter(({ type }) => type !== VERSION_RESOURCE);
  describeVersion(resources);
  await drawIcon(resources);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}
