import path from 'node:path';
import pretty from 'pino-pretty';
import { buildApp } from './app.ts';
import { ConfigError, loadConfig } from './config.ts';
import { createDependencies } from './dependencies.ts';
import { assertMayStart, warningsAtStart } from './settings/start-rules.ts';
import { PRIVATE_UMASK } from './platform/files/private-umask.ts';
import { createLog } from './platform/log.ts';
import { stopAtSignals } from './stop-server.ts';

/** Where the log goes: lines for a person at a terminal, JSON for everything else. */
const logDestination = () =>
  process.stdout.isTTY ? pretty({ ignore: 'pid,hostname', sync: true }) : undefined;

/** Ends the process with a sentence; a mistake in the program itself also shows where it is. */
function fail(error: unknown): never {
  const known = error instanceof Error && ['Error', 'ConfigError'].includes(error.name);
  const told = known ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`Engram did not start.\n${told}\n`);
  process.exit(1);
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
        `Port ${config.port} is in use. Set PORT to another one, or stop what listens there.`,
      );
    });
  await deps.start();
  const shown = config.publicUrl ?? address.replace('127.0.0.1', 'localhost');
  process.stdout.write(`Engram is ready on ${shown}\n`);
  stopAtSignals(app, deps);
}

process.umask(PRIVATE_UMASK);
start().catch(fail);
