import type { Client } from '@engram/client';
import { allowDevice, type DeviceReport, reportDevice, steerDevice } from '@engram/contract';
import { oauthProgram } from '../../apps/server/src/tests/oauth-program.test-setup.ts';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

/** Devices that somebody has let in, and what each may do. */
const DEVICES: Record<string, string> = {
  'Kitchen Screen': 'files:read',
  'Desk Assistant': 'files:read files:write',
};

/** Devices that keep folders in step, and what they report. */
const SYNCED: readonly { name: string; platform: string; report: DeviceReport; paused?: true }[] = [
  {
    name: 'Studio laptop',
    platform: 'macOS 26.1',
    report: {
      folders: [{ name: 'Documents', state: 'paused', files: 318, waiting: 0, refused: 0 }],
      refused: [],
      currentAt: null,
    },
    paused: true,
  },
  {
    name: 'Home-PC',
    platform: 'Windows 11',
    report: {
      folders: [
        { name: 'Papers', state: 'syncing', files: 1204, waiting: 12, refused: 2 },
        { name: 'Photographs', state: 'current', files: 860, waiting: 0, refused: 0 },
      ],
      refused: [
        { path: 'Papers/tools/setup.exe', reason: 'File type not supported: setup.exe' },
        { path: 'Papers/2019/empty.txt', reason: 'This file is empty: empty.txt' },
      ],
      currentAt: null,
    },
  },
];

/** What pages of programs need: addresses that ask to be let in. */
export interface Programs {
  /** Where a program sends a browser that wants to be let in. */
  connect: string;
  /** Where a device sends one, with its code. */
  device: string;
}

/** Lets devices in, and begins what others ask for. */
export async function fillPrograms(url: string, client: Client): Promise<Programs> {
  const program = oauthProgram(url);
  const register = async (name: string, redirects: string[]): Promise<string> => {
    const { body } = await program.register({
      client_name: name,
      redirect_uris: redirects,
      grant_types: ['authorization_code', 'refresh_token', DEVICE],
    });
    return body['client_id'] as string;
  };
  const home = 'https://lamp.example.org/back';
  const begin = async (name: string, scope: string) => {
    const clientId = await register(name, [home]);
    const { body } = await program.post('/oauth/device', { client_id: clientId, scope });
    return { clientId, body: body as Record<string, string> };
  };
  for (const [name, scope] of Object.entries(DEVICES)) {
    const { clientId, body } = await begin(name, scope);
    await client.call(allowDevice, { body: { userCode: body['user_code'] ?? '' } });
    await program.poll(clientId, body['device_code'] ?? '');
  }
  for (const { paused, ...said } of SYNCED) {
    const body = { ...said, version: '0.1.0' };
    const { data } = await client.call(reportDevice, { body });
    if (paused) await client.call(steerDevice, { params: { id: data.id }, body: { paused } });
  }
  const clientId = await register('Reading Lamp', [home]);
  const asked = { clientId, redirectUri: home, scope: 'files:read files:write' };
  const { body } = await begin('Hallway Speaker', 'files:read');
  return {
    connect: program.request(asked).address,
    device: body['verification_uri_complete'] ?? '',
  };
}
