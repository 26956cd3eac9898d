/**
 * Runs a command beside real servers, each with its data in a temporary folder, and passes its exit
 * code on. A server that this machine does not have is left out with a message.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { languageModel } from './services/language-model.ts';
import { opensearch } from './services/opensearch.ts';
import { postgres } from './services/postgres.ts';
import { s3 } from './services/s3.ts';
import type { RunningService, Service } from './services/service.ts';

const services: Record<string, Service> = {
  postgres,
  s3,
  opensearch,
  'language-model': languageModel,
};

interface Request {
  install: boolean;
  wanted: Service[];
  command: string[];
}

function parse(args: string[]): Request {
  const install = args[0] === '--install';
  const rest = install ? args.slice(1) : args;
  const names = rest.findIndex((word) => !Object.hasOwn(services, word));
  const wanted = (names < 0 ? rest : rest.slice(0, names)).flatMap((name) => services[name] ?? []);
  return {
    install,
    wanted: wanted.length > 0 ? wanted : Object.values(services),
    command: names < 0 ? [] : rest.slice(names),
  };
}

/** Starts a server. In CI the message about a server that could not be started stands out. */
async function startOne(service: Service, install: boolean): Promise<RunningService | null> {
  const begin = Date.now();
  try {
    const running = await service.start({ install });
    console.error(`${service.name} is ready after ${((Date.now() - begin) / 1_000).toFixed(1)} s.`);
    return running;
  } catch (error) {
    const line = `${service.name} is left out: ${(error as Error).message}`;
    const standsOut = install && process.env['CI'] === 'true';
    console.error(standsOut ? `\n!!!! ${line}\n!!!! What needs it is not tested.\n` : line);
    return null;
  }
}

async function runCommand(
  command: string[],
  env: NodeJS.ProcessEnv,
  onStart: (child: ChildProcess) => void,
): Promise<number> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: 'inherit', env });
  onStart(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function main(): Promise<number> {
  const { install, wanted, command } = parse(process.argv.slice(2));
  if (command.length === 0 && !install) {
    throw new Error('Name a command. npm run with-services -- --help has the options.');
  }
  let interrupt: NodeJS.Signals | undefined;
  let child: ChildProcess | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      interrupt = signal;
      child?.kill(signal);
    });
  }
  const started = await Promise.all(wanted.map((service) => startOne(service, install)));
  const running = started.filter((service) => service !== null);
  try {
    if (interrupt) return 1;
    if (command.length === 0) return 0;
    const env = Object.assign({ ...process.env }, ...running.map((service) => service.env));
    return await runCommand(command, env, (begun) => (child = begun));
  } finally {
    await Promise.all(running.map((service) => service.stop()));
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
