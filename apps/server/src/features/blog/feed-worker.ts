import { parentPort, workerData } from 'node:worker_threads';
import { readFeed } from './read-feed.ts';

const { text, now } = workerData as { text: string; now: number };
parentPort?.postMessage(readFeed(text, new Date(now)), []);
