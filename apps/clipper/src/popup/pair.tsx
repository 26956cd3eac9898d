import type { DeviceCode } from '@engram/client';
import { type FormEvent, useState } from 'react';
import { ask } from '../calls.ts';
import { type Connection, permissionFor } from '../stored.ts';

const DEFAULT_SERVER = 'http://localhost:3000';

function originOf(address: string): string | null {
  const url = URL.parse(address.includes('://') ? address : `https://${address}`);
  return url && /^https?:$/u.test(url.protocol) ? url.origin : null;
}

/** Asks for the server, and for the permission to call it. */
export function Pair({ connection }: { connection: Connection | undefined }) {
  const [server, setServer] = useState(connection?.server ?? DEFAULT_SERVER);
  const [problem, setProblem] = useState(connection?.problem);
  const [isRunning, setRunning] = useState(false);
  const shown = isRunning ? undefined : (problem ?? connection?.problem);

  const pair = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const origin = originOf(server.trim());
    if (origin === null) {
      setProblem('Enter the address of your Engram, such as https://engram.example.org.');
      return;
    }
    setProblem(undefined);
    setRunning(true);
    // The popup may close while the browser asks. The background then continues.
    const permission = chrome.permissions.request(permissionFor(origin));
    const paired = ask('pair', origin);
    try {
      if (!(await permission))
        throw new Error('Without this permission nothing can be saved there.');
      await paired;
    } catch (error) {
      setProblem((error as Error).message);
    }
    setRunning(false);
  };

  return (
    <form onSubmit={(event) => void pair(event)} noValidate>
      <h2>Connect to your Engram</h2>
      <label htmlFor="server">Address of the server</label>
      <input
        id="server"
        type="url"
        autoComplete="off"
        spellCheck={false}
        value={server}
        aria-invalid={shown !== undefined}
        aria-describedby="server-problem"
        onChange={(event) => {
          setServer(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <p id="server-problem" role="alert" className="error">
        {shown}
      </p>
      <button type="submit" className="primary" disabled={isRunning}>
        {isRunning ? 'Connecting…' : 'Connect'}
      </button>
    </form>
  );
}

/** Shows the code until the user has confirmed it on the page of the server. */
export function Pairing({ code }: { code: DeviceCode }) {
  return (
    <section aria-labelledby="pairing">
      <h2 id="pairing">Confirm the code</h2>
      <p>Compare this code with the one on the page that opened, and allow the access there.</p>
      <output className="code">{code.userCode}</output>
      <div className="row">
        <a className="button primary" href={code.link} target="_blank" rel="noreferrer">
          Open the page
        </a>
        <button type="button" onClick={() => void ask('cancelPairing')}>
          Cancel
        </button>
      </div>
    </section>
  );
}
