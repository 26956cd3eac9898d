import { serveTasks } from '../../../platform/threads/serve-tasks.ts';
import { type TaskCall, tasks } from './tasks.ts';

serveTasks(({ name, input }: TaskCall) => (tasks[name] as (input: unknown) => unknown)(input));
