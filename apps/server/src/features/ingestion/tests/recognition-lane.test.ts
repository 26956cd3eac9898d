import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { recordTones } from '../../../tests/tones.test-setup.ts';
import {
  createRecognitionLane,
  type RecognitionLane,
  type RecognitionTask,
  type Recording,
} from '../recognition-lane.ts';

let folder = '';
let lane: RecognitionLane | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engram-lane-'));
});

afterEach(async () => {
  await lane?.close();
  lane = null;
});

afterAll(() => rm(folder, { recursive: true }));

function startLane(idleMs = 60_000): RecognitionLane {
  lane = createRecognitionLane({
    memoryMb: 800,
    idleMs,
    scratch: join(folder, 'scratch'),
    settings: { ocrData: null, speechFolder: null },
  });
  return lane;
}

async function recordingOf(name: string, seconds: number): Promise<Recording> {
  const filePath = join(folder, name);
  await writeFile(filePath, recordTones([{ hertz: 440, seconds }]));
  return {
    file: { filePath, fileName: name, type: 'wav' },
    path: undefined,
    limits: { maxBytes: 1_000_000, maxMs: 2000, overlapMs: 0 },
  };
}

const soundOf =
  ({ run }: RecognitionLane) =>
  ({ file, ...selection }: Recording, index: number, task: RecognitionTask) =>
    run('sound', task, file, { ...selection, index });

const taskOf = (group: string) => ({ group, logFields: {}, signal: new AbortController().signal });

test('a recording is returned piece by piece, starting at any piece', async () => {
  const sound = soundOf(startLane());
  const recording = await recordingOf('tone.wav', 5);
  const pieces: { startMs: number; endMs: number }[] = [];
  for (let index = 0; ; index += 1) {
    const piece = await sound(recording, index, taskOf('ann'));
    if (!piece) break;
    expect(Buffer.from(piece.bytes).toString('latin1', 0, 4)).toBe('RIFF');
    pieces.push({ startMs: piece.startMs, endMs: piece.endMs });
  }
  expect(pieces.length).toBeGreaterThanOrEqual(3);
  expect(pieces[0]?.startMs).toBe(0);
  expect(pieces.at(-1)?.endMs).toBe(5000);
  pieces.slice(1).forEach(({ startMs }, i) => expect(startMs).toBe(pieces[i]?.endMs));
  const secondRead = await sound(recording, 1, taskOf('ann'));
  expect(secondRead).toMatchObject(pieces[1] ?? {});
});

test('the process starts with the first task, and ends when it is idle', async () => {
  const lane = startLane(200);
  const { pids } = lane;
  const sound = soundOf(lane);
  const recording = await recordingOf('idle.wav', 1);
  expect(pids()).toEqual([]);
  await sound(recording, 0, taskOf('ann'));
  expect(pids()).toHaveLength(1);
  await expect.poll(pids).toEqual([]);
  expect(await sound(recording, 0, taskOf('ann'))).toMatchObject({ startMs: 0 });
});

test('users are served round robin', async () => {
  const sound = soundOf(startLane());
  const recording = await recordingOf('turns.wav', 1);
  const done: string[] = [];
  const tasks = ['ann', 'ann', 'ann', 'ann', 'ann', 'bob'].map(async (group) => {
    await sound(recording, 0, taskOf(group));
    done.push(group);
  });
  await Promise.all(tasks);
  expect(done.indexOf('bob')).toBeLessThanOrEqual(1);
});

test('errors of a file are passed on, and the next task runs', async () => {
  const lane = startLane();
  const { pids } = lane;
  const sound = soundOf(lane);
  const recording = await recordingOf('good.wav', 1);
  const filePath = join(folder, 'broken.mp3');
  await writeFile(filePath, Buffer.alloc(5000, 7));
  const broken: Recording = { ...recording, file: { filePath, fileName: 'x.mp3', type: 'mp3' } };
  await expect(sound(broken, 0, taskOf('ann'))).rejects.toMatchObject({ name: 'ExtractionError' });
  const before = pids();
  expect(await sound(recording, 0, taskOf('ann'))).not.toBeNull();
  expect(pids()).toEqual(before);
});
