import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pretty from 'pino-pretty';
import { buildApp } from './app.ts';
import { ConfigError, loadConfig } from './config.ts';
import { createDependencies, type Dependencies } from './dependencies.ts';
import { createLog } from './platform/log.ts';
import { PRIVATE_UMASK } from './run-command.ts';
import { assertMayStart, warningsAtStart } from './settings/start-rules.ts';

/** Extra time for a stop after requests and jobs have ended, in milliseconds. */
const EXTRA_STOP_MS = 10_000;

/** Prints readable lines in a terminal, and JSON otherwise. */
const logDestination = () =>
  process.stdout.isTTY ? pretty({ ignore: 'pid,hostname', sync: true }) : undefined;

/** Ends the process with a message. An unexpected error also shows its stack. */
function fail(error: unknown): never {
  const known = error instanceof Error && ['Error', 'ConfigError'].includes(error.name);
  const reason = known ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`Engram did not start.\n${reason}\n`);
  process.exit(1);
}

/** Reports not ready, serves until load balancers have noticed, and lets requests and jobs end. */
async function stop(app: FastifyInstance, deps: Dependencies): Promise<void> {
  deps.drain();
  await sleep(deps.config.drainSeconds * 1000);
  await app.close();
  await deps.close();
}

function stopAtSignals(app: FastifyInstance, deps: Dependencies): void {
  const { log, config } = deps;
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    const limit = (config.drainSeconds + config.stopSeconds) * 1000 + EXTRA_STOP_MS;
    setTimeout(() => process.exit(1), limit).unref();
    stop(app, deps).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the server did not stop cleanly');
        process.exit(1);
      },
    );
  };
  // A closed terminal accepts no more output.
  process.on('SIGHUP', () => process.stdout.on('error', () => undefined));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

async function start(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLog(config.logLevel, logDestination());
  assertMayStart(config);
  for (const warning of warningsAtStart(config)) log.warn(warning);

  const deps = await createDependencies(config, {
    log,
    now: () => new Date(),
    webFolder: path.resolve(import.meta.dirname, '../../web/dist'),
    connectorFolder: path.resolve(import.meta.dirname, '../../../dist/connector'),
  });
  const app = await buildApp(deps);
  const address = await app
    .listen({ port: config.port, host: config.host })
    .catch(async (error: NodeJS.ErrnoException) => {
      await deps.close();
      if (error.code !== 'EADDRINUSE') throw error;
      throw new ConfigError(
        `Port ${config.port} is in use. Set PORT to another one, or stop the program that uses it.`,
      );
    });
  await deps.start();
  const displayUrl = config.publicUrl ?? address.replace('127.0.0.1', 'localhost');
  process.stdout.write(`Engram is ready on ${displayUrl}\n`);
  stopAtSignals(app, deps);
}

process.umask(PRIVATE_UMASK);
start().catch(fail);
