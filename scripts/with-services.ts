/**
 * Runs a command with real servers, whose data is in temporary folders, and exits with its code. A
 * server that is not installed is skipped with a message.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { imap } from './services/imap.ts';
import { languageModel } from './services/language-model.ts';
import { opensearch } from './services/opensearch.ts';
import { postgres } from './services/postgres.ts';
import { s3 } from './services/s3.ts';
import type { RunningService, Service } from './services/service.ts';

const services: Record<string, Service> = {
  postgres,
  s3,
  opensearch,
  imap,
  'language-model': languageModel,
};

interface Request {
  install: boolean;
  selected: Service[];
  command: string[];
}

function parse(args: string[]): Request {
  const install = args[0] === '--install';
  const positionals = install ? args.slice(1) : args;
  const commandStart = positionals.findIndex((name) => !Object.hasOwn(services, name));
  const selected = (commandStart < 0 ? positionals : positionals.slice(0, commandStart)).flatMap(
    (name) => services[name] ?? [],
  );
  return {
    install,
    selected: selected.length > 0 ? selected : Object.values(services),
    command: commandStart < 0 ? [] : positionals.slice(commandStart),
  };
}

/** Starts a server. In CI the message about a skipped server is highlighted. */
async function startService(service: Service, install: boolean): Promise<RunningService | null> {
  const begin = Date.now();
  try {
    const running = await service.start({ install });
    console.error(`${service.name} is ready after ${((Date.now() - begin) / 1_000).toFixed(1)} s.`);
    return running;
  } catch (error) {
    const line = `${service.name} is skipped: ${(error as Error).message}`;
    const isHighlighted = install && process.env['CI'] === 'true';
    console.error(isHighlighted ? `\n!!!! ${line}\n!!!! Its tests do not run.\n` : line);
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
  const { install, selected, command } = parse(process.argv.slice(2));
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
  const started = await Promise.all(selected.map((service) => startService(service, install)));
  const running = started.filter((service) => service !== null);
  try {
    if (interrupt) return 1;
    if (command.length === 0) return 0;
    const env = Object.assign({ ...process.env }, ...running.map((service) => service.env));
    return await runCommand(command, env, (started) => (child = started));
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
