import { serveTasks } from '../../platform/threads/serve-tasks.ts';
import { readFeed } from './read-feed.ts';

serveTasks(({ text, now }: { text: string; now: Date }) => readFeed(text, now));
