import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { paths } from '../../../app/paths.ts';
import { acceptedTypes } from '../../upload/file-rules.ts';

const publicFolder = path.resolve(import.meta.dirname, '../../../../public');
const manifest = JSON.parse(
  readFileSync(path.join(publicFolder, 'manifest.webmanifest'), 'utf8'),
) as {
  start_url: string;
  icons: { src: string; sizes: string }[];
  shortcuts: { url: string }[];
  share_target: { action: string; params: { files: { accept: string[] }[] } };
};

it('the share target accepts the same files as the upload panel', () => {
  const extensions = new Set(Object.values(acceptedTypes).flat());
  expect(manifest.share_target.params.files[0]?.accept).toEqual([
    ...Object.keys(acceptedTypes),
    ...extensions,
  ]);
});

it('the shortcuts open existing pages', () => {
  const pagePaths = Object.values(paths) as string[];
  const { start_url: start, shortcuts, share_target: target } = manifest;
  for (const address of [start, target.action, ...shortcuts.map(({ url }) => url)]) {
    expect(pagePaths).toContain(address);
  }
});

it('the icons have the declared sizes', () => {
  for (const { src, sizes } of manifest.icons) {
    const file = path.join(publicFolder, src);
    expect(existsSync(file)).toBe(true);
    if (!file.endsWith('.png')) continue;
    // A PNG has its width and height at fixed offsets of its header.
    const head = readFileSync(file);
    expect(`${head.readUInt32BE(16)}x${head.readUInt32BE(20)}`).toBe(sizes);
  }
});
