/** Runs in a worker thread that creates index rows from stored texts. */
import { serveTasks } from '../../platform/threads/serve-tasks.ts';
import { indexRows } from './index-rows.ts';

export type RowsTask = Parameters<typeof indexRows>;

serveTasks((task: RowsTask) => indexRows(...task));
