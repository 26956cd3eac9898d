import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildConnector } from './connector/build.ts';
import { type PlatformName, platformNames } from './connector/platforms.ts';

const folder = path.resolve(import.meta.dirname, '../dist/connector');
const { values } = parseArgs({ options: { platform: { type: 'string', multiple: true } } });

const isPlatform = (name: string): name is PlatformName =>
  (platformNames as string[]).includes(name);

const requested = values.platform ?? platformNames;
const unknown = requested.find((name) => !isPlatform(name));
if (unknown !== undefined) {
  console.error(`Unknown platform '${unknown}'. Choose from ${platformNames.join(', ')}.`);
  process.exit(1);
}

const { files } = await buildConnector({
  folder,
  platforms: requested.filter(isPlatform),
  onBuilt: (platform) => console.log(`· ${platform}`),
});
for (const { fileName, size, sha256 } of files) {
  console.log(`${path.join(folder, fileName)}  ${Math.round(size / 1e6)} MB  ${sha256}`);
}
