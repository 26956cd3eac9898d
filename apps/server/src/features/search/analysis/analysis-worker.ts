import { serveTasks } from '../../../platform/threads/serve-tasks.ts';
import { type TaskCall, tasks } from './tasks.ts';
import { warmUp } from './warm-up.ts';

warmUp();
serveTasks(({ name, input }: TaskCall) => (tasks[name] as (input: unknown) => unknown)(input));
