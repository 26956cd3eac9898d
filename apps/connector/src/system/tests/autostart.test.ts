import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Autostart, createAutostart } from '../autostart.ts';

let home: string;
let ran: string[][];

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'engram-autostart-'));
  ran = [];
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
      ran.push([program, ...args]);
      const said = answer(args);
      if (said instanceof Error) throw said;
      return said;
    },
  });

describe('Windows', () => {
  /** The registry as reg.exe speaks of it. */
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

  test('a value of the person is set, found and taken away', async () => {
    const program = String.raw`C:\Users\Mara Visser\Engram Connector.exe`;
    const line = String.raw`"C:\Users\Mara Visser\Engram Connector.exe" "run"`;
    const { answer, value } = registry();
    const autostart = start('win32', [program, 'run'], answer);
    await autostart.disable();
    await autostart.enable();
    expect(value()).toBe(line);
    const added = ran.find(([, verb]) => verb === 'add');
    expect(added?.slice(0, 3)).toEqual([
      'reg.exe',
      'add',
      String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`,
    ]);
    await autostart.disable();
    expect(value()).toBeNull();
  });

  test('backslashes and quotes arrive as they were', async () => {
    await start(
      'win32',
      [String.raw`C:\a b\\`.slice(0, -1), 'say "it"'],
      registry().answer,
    ).enable();
    expect(ran[0]).toContain(String.raw`"C:\a b\\" "say \"it\""`);
  });
});

test('on macOS a launch agent starts the Connector, whatever its path', async () => {
  const autostart = start('darwin', ['/Applications/A & <B> "C"/run me', 'run']);
  await autostart.enable();
  const plist = await read('Library/LaunchAgents/org.engram.connector.plist');
  expect(plist).toContain('<string>/Applications/A &amp; &lt;B&gt; "C"/run me</string>');
  await autostart.disable();
  await expect(read('Library/LaunchAgents/org.engram.connector.plist')).rejects.toThrow('ENOENT');
});

describe('Linux', () => {
  const program = '/home/mara/My "apps"/100% $free/engram-connector';

  test('a unit of the person, with any path', async () => {
    const autostart = start('linux', [program, 'run', '$5']);
    await autostart.enable();
    expect(await read('.config/systemd/user/engram-connector.service')).toContain(
      String.raw`ExecStart="/home/mara/My \"apps\"/100%% $free/engram-connector" "run" "$$5"`,
    );
    expect(ran.at(-1)).toEqual(['systemctl', '--user', 'enable', 'engram-connector.service']);
    await autostart.disable();
    expect(ran).toContainEqual(['systemctl', '--user', 'disable', 'engram-connector.service']);
    await expect(read('.config/systemd/user/engram-connector.service')).rejects.toThrow('ENOENT');
    expect(ran.map((args) => args.join(' '))).not.toContain('systemctl --user stop');
  });

  test('an entry that desktops start where there is no systemd', async () => {
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
