#!/usr/bin/env node
import { runCommand } from './command/command.ts';

// Only the user can read what the Connector writes.
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2));
