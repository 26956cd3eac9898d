import { expect, test } from 'vitest';
import type { ConnectorStatus } from '../../connector.ts';
import { summary } from '../browser/format.ts';
import { SampleConnector, sampleFolder } from './sample-connector.test-setup.ts';

const summaryOf = (status: Partial<ConnectorStatus>): string =>
  summary(new SampleConnector(status).status());

const folders = [sampleFolder({})];

test('everything is synced only if every folder is and no file is left out', () => {
  expect(summaryOf({ folders })).toBe('Everything is synced');
});

test.each<[Partial<ConnectorStatus>, string]>([
  [{ folders, paused: true }, 'Paused'],
  [{ folders, problem: 'Engram cannot be reached at the moment.' }, 'Waiting'],
  [{ folders, pairing: 'ended' }, 'Waiting'],
  [{ folders: [...folders, sampleFolder({ state: 'waiting' })] }, 'Waiting'],
  [{ folders: [...folders, sampleFolder({ state: 'missing' })] }, 'A folder is missing'],
  [{ folders: [...folders, sampleFolder({ state: 'syncing' })] }, 'Scanning your folders'],
  [{ folders: [...folders, sampleFolder({ state: 'syncing', waiting: 1 })] }, 'Sending 1 file'],
  [{ folders: [...folders, sampleFolder({ archiveAsked: 21 })] }, 'Waiting for your answer'],
  [{ folders: [...folders, sampleFolder({ refused: 2 })] }, 'Synced, except 2 files'],
])('the summary of %j is "%s"', (status, text) => {
  expect(summaryOf(status)).toBe(text);
});
