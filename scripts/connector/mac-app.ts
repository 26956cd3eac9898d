import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { macIcon } from './icons.ts';
import { NODE_FLAGS } from './single-executable.ts';
import project from '../../package.json' with { type: 'json' };

const APP = 'Engram Connector.app';

/** The oldest macOS that this version of Node supports. */
const MIN_MACOS = '13.5';

const info = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>CFBundleDevelopmentRegion</key>
  <string>en</string>
  <key>CFBundleDisplayName</key>
  <string>Engram Connector</string>
  <key>CFBundleExecutable</key>
  <string>engram-connector</string>
  <key>CFBundleIconFile</key>
  <string>icon</string>
  <key>CFBundleIdentifier</key>
  <string>org.engram.connector</string>
  <key>CFBundleInfoDictionaryVersion</key>
  <string>6.0</string>
  <key>CFBundleName</key>
  <string>Engram Connector</string>
  <key>CFBundlePackageType</key>
  <string>APPL</string>
  <key>CFBundleShortVersionString</key>
  <string>${project.version}</string>
  <key>CFBundleVersion</key>
  <string>${project.version}</string>
  <key>LSMinimumSystemVersion</key>
  <string>${MIN_MACOS}</string>
  <key>LSUIElement</key>
  <true/>
</dict>
</plist>
`;

/** Starts Node with the program, and passes its own path for starting with the system. */
const launcher = `#!/bin/sh
self=$(readlink -f "$0" 2>/dev/null || printf '%s' "$0")
here=$(dirname "$self")
export ENGRAM_CONNECTOR_LAUNCHER="$self"
exec "$here/node" ${NODE_FLAGS.join(' ')} "$here/../Resources/connector.mjs" "$@"
`;

/** A constant, for reproducible archives. */
const mtime = new Date('2026-01-01T00:00:00Z');

/**
 * Packs the app for macOS. Apple Silicon refuses programs with an invalid signature, so Node stays
 * unchanged, and the program is a separate file.
 */
export async function packMacApp(parts: {
  node: string;
  program: string;
  keyring: string;
  output: string;
}): Promise<void> {
  const zip = new ZipFile();
  const add = (name: string, content: Buffer, mode = 0o644): void =>
    zip.addBuffer(content, `${APP}/Contents/${name}`, { mode: 0o10_0000 | mode, mtime });
  add('Info.plist', Buffer.from(info));
  add('MacOS/engram-connector', Buffer.from(launcher), 0o755);
  add('MacOS/node', await readFile(parts.node), 0o755);
  add('Resources/connector.mjs', await readFile(parts.program));
  add('Resources/keyring.node', await readFile(parts.keyring), 0o755);
  add('Resources/icon.icns', await macIcon());
  zip.end();
  await finished(zip.outputStream.pipe(createWriteStream(parts.output)));
}
