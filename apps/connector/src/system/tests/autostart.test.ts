import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Autostart, createAutostart } from '../autostart.ts';

let home: string;
let commands: string[][];

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'engram-autostart-'));
  commands = [];
});
afterEach(() => rm(home, { recursive: true }));

const read = (file: string): Promise<string> => readFile(path.join(home, file), 'utf8');

const start = (
  platform: NodeJS.Platform,
  command: readonly [string, ...string[]],
  answer: (args: readonly string[]) => string | Error = () => '',
): Autostart =>
  createAutostart({
    command,
    platform,
    home,
    env: {},
    run: async (program, args) => {
      commands.push([program, ...args]);
      const output = answer(args);
      if (output instanceof Error) throw output;
      return output;
    },
  });

describe('Windows', () => {
  /** A registry value with the output of reg.exe. */
  function registry() {
    let value: string | null = null;
    const answer = (args: readonly string[]): string | Error => {
      if (args[0] === 'add') value = args[args.indexOf('/d') + 1] ?? null;
      else if (value === null) return new Error('There is no such value.');
      else value = null;
      return '';
    };
    return { answer, value: () => value };
  }

  test('a registry value of the user starts the Connector, and can be removed', async () => {
    const program = String.raw`C:\Users\Mara Visser\Engram Connector.exe`;
    const line = String.raw`"C:\Users\Mara Visser\Engram Connector.exe" "run"`;
    const { answer, value } = registry();
    const autostart = start('win32', [program, 'run'], answer);
    await autostart.disable();
    await autostart.enable();
    expect(value()).toBe(line);
    const added = commands.find(([, verb]) => verb === 'add');
    expect(added?.slice(0, 3)).toEqual([
      'reg.exe',
      'add',
      String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`,
    ]);
    await autostart.disable();
    expect(value()).toBeNull();
  });

  test('backslashes and quotes of a command are escaped', async () => {
    await start(
      'win32',
      [String.raw`C:\a b\\`.slice(0, -1), 'say "it"'],
      registry().answer,
    ).enable();
    expect(commands[0]).toContain(String.raw`"C:\a b\\" "say \"it\""`);
  });
});

test('on macOS a launch agent starts the Connector from any path', async () => {
  const autostart = start('darwin', ['/Applications/A & <B> "C"/run me', 'run']);
  await autostart.enable();
  const plist = await read('Library/LaunchAgents/org.engram.connector.plist');
  expect(plist).toContain('<string>/Applications/A &amp; &lt;B&gt; "C"/run me</string>');
  await autostart.disable();
  await expect(read('Library/LaunchAgents/org.engram.connector.plist')).rejects.toThrow('ENOENT');
});

describe('Linux', () => {
  const program = '/home/mara/My "apps"/100% $free/engram-connector';

  test('a systemd unit of the user starts the Connector from any path', async () => {
    const autostart = start('linux', [program, 'run', '$5']);
    await autostart.enable();
    expect(await read('.config/systemd/user/engram-connector.service')).toContain(
      String.raw`ExecStart="/home/mara/My \"apps\"/100%% $free/engram-connector" "run" "$$5"`,
    );
    expect(commands.at(-1)).toEqual(['systemctl', '--user', 'enable', 'engram-connector.service']);
    await autostart.disable();
    expect(commands).toContainEqual(['systemctl', '--user', 'disable', 'engram-connector.service']);
    await expect(read('.config/systemd/user/engram-connector.service')).rejects.toThrow('ENOENT');
    expect(commands.map((args) => args.join(' '))).not.toContain('systemctl --user stop');
  });

  test('without systemd a desktop entry starts the Connector', async () => {
    const autostart = start('linux', [program, 'run'], () => new Error('No bus.'));
    await autostart.enable();
    expect(await read('.config/autostart/engram-connector.desktop')).toContain(
      String.raw`Exec="/home/mara/My \\"apps\\"/100%% \\$free/engram-connector" "run"`,
    );
    await expect(read('.config/systemd/user/engram-connector.service')).rejects.toThrow('ENOENT');
    await autostart.disable();
    await expect(read('.config/autostart/engram-connector.desktop')).rejects.toThrow('ENOENT');
  });
});
