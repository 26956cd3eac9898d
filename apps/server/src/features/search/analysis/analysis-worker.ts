import { serveTasks } from '../../../platform/threads/serve-tasks.ts';
import { runTask, warmUp } from './tasks.ts';

warmUp();
serveTasks(runTask);
