import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { isSea } from 'node:sea';
import { promisify } from 'node:util';

/** Runs a program of the system. Rejects if it fails. */
export type Run = (command: string, args: readonly string[]) => Promise<unknown>;

interface AutostartOptions {
  command: readonly [string, ...string[]];
  platform?: NodeJS.Platform;
  home?: string;
  run?: Run;
  env?: NodeJS.ProcessEnv;
}

/** Starting with the system, for the current user. */
export interface Autostart {
  enable(): Promise<void>;
  disable(): Promise<void>;
}

const LABEL = 'org.engram.connector';
const UNIT = 'engram-connector.service';
const RUN_KEY = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`;
const VALUE = 'Engram Connector';

const runProgram: Run = (command, args) =>
  promisify(execFile)(command, args, { windowsHide: true, timeout: 20_000 });

/** A file that enables autostart while it exists. */
function autostartByFile(file: string, content: string): Autostart {
  return {
    enable: async () => {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    },
    disable: () => rm(file, { force: true }),
  };
}

/** Quotes an argument for Windows: quotes get a backslash, and backslashes before a quote are doubled. */
function quoteForWindows(argument: string): string {
  let [quoted, backslashes] = ['', 0];
  for (const character of argument) {
    if (character === '"') quoted += `${'\\'.repeat(backslashes)}\\"`;
    else quoted += character;
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return `"${quoted}${'\\'.repeat(backslashes)}"`;
}

/** A value in the user's part of the registry. */
function forWindows({ command }: AutostartOptions, run: Run): Autostart {
  const line = command.map(quoteForWindows).join(' ');
  return {
    enable: async () => {
      const value = ['/v', VALUE, '/t', 'REG_SZ', '/d', line, '/f'];
      await run('reg.exe', ['add', RUN_KEY, ...value]);
    },
    disable: async () => {
      // It fails if there is no such value.
      await run('reg.exe', ['delete', RUN_KEY, '/v', VALUE, '/f']).catch(() => null);
    },
  };
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const agent = (command: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((argument) => `    <string>${escapeXml(argument)}</string>`).join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;

/** A user agent, which the system loads at the next login. The Connector is already running. */
const forMacOS = ({ command }: AutostartOptions, home: string): Autostart =>
  autostartByFile(path.join(home, 'Library/LaunchAgents', `${LABEL}.plist`), agent(command));

/** Quotes an argument of a unit, in which `%` is special even within quotes. */
const quoteForSystemd = (argument: string): string =>
  `"${argument
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')}"`;

/** The command of a unit. systemd replaces variables in arguments, but not in the program's path. */
const systemdLine = ([program, ...args]: readonly string[]): string =>
  [
    quoteForSystemd(program ?? ''),
    ...args.map((argument) => quoteForSystemd(argument).replaceAll('$', '$$$$')),
  ].join(' ');

const unit = (command: readonly string[]): string => `[Unit]
Description=Engram Connector

[Service]
ExecStart=${systemdLine(command)}
Restart=on-failure
RestartSec=30

[Install]
WantedBy=default.target
`;

/** Quotes an argument of a desktop entry, whose strings are unescaped twice. */
const quoteForDesktop = (argument: string): string =>
  `"${argument.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll('\\', String.raw`\\`)}"`.replaceAll(
    '%',
    '%%',
  );

const desktopEntry = (command: readonly string[]): string => `[Desktop Entry]
Type=Application
Name=Engram Connector
Exec=${command.map(quoteForDesktop).join(' ')}
Terminal=false
NoDisplay=true
`;

/** A unit of the user's systemd, or an entry for desktops without systemd. */
function forLinux(options: AutostartOptions, home: string, run: Run): Autostart {
  const { command, env = process.env } = options;
  const config = env['XDG_CONFIG_HOME'] || path.join(home, '.config');
  const service = autostartByFile(path.join(config, 'systemd/user', UNIT), unit(command));
  const desktop = autostartByFile(
    path.join(config, 'autostart/engram-connector.desktop'),
    desktopEntry(command),
  );
  const systemctl = (...args: string[]): Promise<boolean> =>
    run('systemctl', ['--user', ...args]).then(
      () => true,
      () => false,
    );
  const disable = async (): Promise<void> => {
    // Not stopped, because this may be the running Connector.
    await systemctl('disable', UNIT);
    await service.disable();
    await desktop.disable();
    await systemctl('daemon-reload');
  };
  return {
    enable: async () => {
      await disable();
      await service.enable();
      if ((await systemctl('daemon-reload')) && (await systemctl('enable', UNIT))) return;
      await service.disable();
      await desktop.enable();
    },
    disable,
  };
}

export function createAutostart(options: AutostartOptions): Autostart {
  const { platform = process.platform, home = homedir(), run = runProgram } = options;
  if (platform === 'win32') return forWindows(options, run);
  if (platform === 'darwin') return forMacOS(options, home);
  return forLinux(options, home, run);
}

/**
 * The command that starts this program again, without its current arguments: the single file, the
 * launcher of the macOS app, or Node with the script in development.
 */
export function ownCommand(): [program: string, ...args: string[]] {
  if (isSea()) return [process.execPath];
  const launcher = process.env['ENGRAM_CONNECTOR_LAUNCHER'];
  if (launcher) return [launcher];
  return [process.execPath, ...process.execArgv, path.resolve(process.argv[1] ?? '')];
}
