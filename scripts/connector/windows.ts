import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { windowsIcons } from './icons.ts';
import project from '../../package.json' with { type: 'json' };

const { version } = project;

/** The subsystem of programs without a console window. */
export const GUI_SUBSYSTEM = 2;

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
 * Gives Node for Windows the icon, name and version of the Connector, and no console window. Removes
 * the signature, which is no longer valid.
 */
export async function brandForWindows(node: Buffer): Promise<Buffer> {
  const program = NtExecutable.from(node, { ignoreCert: true });
  program.newHeader.optionalHeader.subsystem = GUI_SUBSYSTEM;
  const resources = NtExecutableResource.from(program);
  // Windows shows the first version resource, which is Node's.
  resources.entries = resources.entries.filter(({ type }) => type !== VERSION_RESOURCE);
  describeVersion(resources);
  await drawIcon(resources);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}
