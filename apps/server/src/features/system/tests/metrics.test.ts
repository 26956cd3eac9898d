import { getArtifact, search, uploadArtifacts } from '@engram/contract';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildTestApp } from '../../../tests/app.test-setup.ts';
import { backupsOf, newFolder, openPlace } from '../../../tests/backups.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

/** Longer than database values are cached. */
const A_WHILE_MS = 10_000;
const QUESTION = { text: 'What is the deposit of the boathouse?', audio: false };

describe('metrics', () => {
  const engram = useTestApp({ env: { ENGRAM_METRICS_PORT: '0' } });

  /** The lines with a value, each after its name and its sorted labels. */
  const read = async (): Promise<Map<string, number>> => {
    engram.advance(A_WHILE_MS);
    const answer = await fetch(engram.deps.observability.metricsUrl ?? '');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/u);
    const lines = (await answer.text()).split('\n').filter((line) => /^[a-z]/u.test(line));
    return new Map(
      lines.map((line) => {
        const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/u.exec(line)!;
        const sorted = labels.split(/,(?=\w+=")/u).toSorted();
        return [`${name}{${sorted.join()}}`, Number(value)];
      }),
    );
  };

  let ids: string[];

  beforeAll(async () => {
    const { client, userId, token } = await engram.signIn('ann@example.org');
    const content = new Blob(['The deposit of the boathouse is 2,340 euros.']);
    await client.upload(uploadArtifacts, [{ name: 'lease.txt', content }], {});
    await engram.settled();
    const { data } = await client.call(search, { body: QUESTION });
    const artifactId = data.citations[0]?.artifactId ?? '';
    await client.call(getArtifact, { params: { artifactId } });
    await fetch(`${engram.baseUrl}/nothing/${userId}`, { headers: { authorization: token } });
    await fetch(`${engram.baseUrl}/ready`, { method: 'PUT' });
    ids = [userId, artifactId, data.history_id];
  });

  test('requests are counted by route, and metrics never identify a user', async () => {
    const metrics = await read();
    const count = 'engram_http_requests_total';
    expect(metrics.get(`${count}{method="POST",route="/v1/search",status="2xx"}`)).toBe(1);
    const pattern = '/v1/artifacts/:artifactId';
    expect(metrics.get(`${count}{method="GET",route="${pattern}",status="2xx"}`)).toBe(1);
    expect(metrics.get(`${count}{method="GET",route="page",status="4xx"}`)).toBe(1);
    const duration = 'engram_http_request_duration_seconds_count';
    expect(metrics.get(`${duration}{method="POST",route="/v1/search"}`)).toBe(1);
    const names = [...metrics.keys()].join('\n');
    for (const id of [...ids, 'boathouse', 'ann@example.org', 'lease']) {
      expect(names).not.toContain(id);
    }
  });

  test('metrics describe jobs, files, stages of questions, the database and the process', async () => {
    const metrics = await read();
    expect(
      metrics.get('engram_job_duration_seconds_count{outcome="done",queue="read-artifact"}'),
    ).toBe(1);
    expect(metrics.get('engram_jobs{queue="read-artifact",state="waiting"}')).toBe(0);
    expect(metrics.get('engram_files{state="ready"}')).toBe(1);
    expect(metrics.get('engram_files{state="waiting"}')).toBe(0);
    expect(metrics.get('engram_question_stage_duration_seconds_count{stage="history"}')).toBe(1);
    expect(metrics.get('engram_database_connections{state="waiting"}')).toBe(0);
    for (const part of ['database', 'files', 'index']) {
      expect(metrics.get(`engram_part_up{part="${part}"}`)).toBe(1);
    }
    for (const name of [
      'engram_disk_free_bytes',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(metrics.get(`${name}{}`)).toBeGreaterThan(0);
    }
  });

  test('metrics describe what is waiting, and for how long', async () => {
    engram.deps.drain();
    const { client } = await engram.signIn('ann@example.org');
    const content = new Blob(['The boiler was serviced in May.']);
    await client.upload(uploadArtifacts, [{ name: 'boiler.txt', content }], {});
    const metrics = await read();
    expect(metrics.get('engram_jobs{queue="read-artifact",state="waiting"}')).toBe(1);
    expect(
      metrics.get('engram_jobs_oldest_waiting_seconds{queue="read-artifact"}'),
    ).toBeGreaterThanOrEqual(0);
    expect(metrics.get('engram_files{state="waiting"}')).toBe(1);
  });

  test('unavailable values are left out and counted', async () => {
    const client = await engram.deps.database.pool.connect();
    // The embedded database serves no other query during a transaction.
    await client.query('begin');
    const metrics = await read();
    await client.query('rollback');
    client.release();
    expect(metrics.get('engram_part_up{part="database"}')).toBe(0);
    expect(metrics.has('engram_files{state="ready"}')).toBe(false);
    expect((await read()).get('engram_metrics_unavailable_total{metric="engram_files"}')).toBe(1);
  });

  test('metrics are served only at their own address', async () => {
    const { origin } = new URL(engram.deps.observability.metricsUrl ?? '');
    for (const path of ['/', '/v1/health', '/metrics/all']) {
      expect((await fetch(origin + path)).status).toBe(404);
    }
    const page = await fetch(new URL('/metrics', engram.baseUrl));
    expect(await page.text()).not.toContain('engram_');
  });
});

test('the first scrape after a start has the time of the newest backup', async () => {
  const folder = await newFolder();
  const metrics = { ENGRAM_METRICS_PORT: '0', ENGRAM_BACKUP: folder };
  const first = await buildTestApp({ env: metrics });
  const name = 'engram_backup_last_success_timestamp_seconds';
  const scrape = async ({ deps }: typeof first): Promise<string> =>
    (await fetch(deps.observability.metricsUrl ?? '')).text();
  expect(await scrape(first)).not.toMatch(new RegExp(`^${name} `, 'mu'));
  const { at } = await backupsOf(first, () => openPlace(folder)).run();
  await first.close();

  const second = await buildTestApp({ env: metrics });
  onTestFinished(() => second.close());
  second.advance(3_600_000);
  expect(await scrape(second)).toMatch(new RegExp(`^${name} ${at.getTime() / 1000}$`, 'mu'));
});

test('metrics are off by default', async () => {
  const engram = await buildTestApp();
  expect(engram.deps.observability.metricsUrl).toBeNull();
  await engram.close();
});

test('a start fails with an explanation if the port for metrics is taken', async () => {
  const first = await buildTestApp({ env: { ENGRAM_METRICS_PORT: '0' } });
  const { port } = new URL(first.deps.observability.metricsUrl ?? '');
  await expect(buildTestApp({ env: { ENGRAM_METRICS_PORT: port } })).rejects.toThrow(
    `The metrics cannot be served on ENGRAM_METRICS_HOST 127.0.0.1 and ENGRAM_METRICS_PORT ${port}`,
  );
  await first.close();
});
