import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { settings } from '../../apps/server/src/config.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const CHART = 'deploy/helm/engram';
const composeFiles = globSync('compose*.yaml', { cwd: root });
const plainFiles = [...composeFiles, `${CHART}/Chart.yaml`, `${CHART}/values.yaml`];
const allFiles = [...plainFiles, ...globSync(`${CHART}/templates/*`, { cwd: root })];

const knownNames = new Set(Object.values(settings).map(({ env }) => env));

test.each(plainFiles)('%s is YAML', (file) => {
  expect(parseDocument(read(file), { merge: true }).errors).toEqual([]);
});

test.each(allFiles)('%s names settings that exist', (file) => {
  const usedNames = read(file).match(/\b(?:ENGRAM_[A-Z\d_]+|DATABASE_URL|SMTP_URL)\b/gu) ?? [];
  expect(usedNames.filter((name) => !knownNames.has(name))).toEqual([]);
});

describe('the time limit of a stop', () => {
  interface ComposeFile {
    services: Record<string, { stop_grace_period?: string; environment?: Record<string, string> }>;
  }
  const drain = settings.drainSeconds.schema.parse(undefined);
  const stop = settings.stopSeconds.schema.parse(undefined);

  test.each(composeFiles)('is ten seconds longer in %s than that of the server', (file) => {
    const { services } = parse(read(file), { merge: true }) as ComposeFile;
    const servers = Object.values(services).filter(({ stop_grace_period: grace }) => grace);
    expect(servers.length).toBeGreaterThan(0);
    for (const { stop_grace_period: grace = '', environment = {} } of servers) {
      const { ENGRAM_DRAIN_SECONDS = drain, ENGRAM_STOP_SECONDS = stop } = environment;
      const minSeconds = Number(ENGRAM_DRAIN_SECONDS) + Number(ENGRAM_STOP_SECONDS) + 10;
      expect(Number(/^(\d+)s$/u.exec(grace)?.[1])).toBeGreaterThanOrEqual(minSeconds);
    }
  });
});

test('the chart has the version of Engram', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});
