import { ask } from '../calls.ts';
import type { Connection } from '../stored.ts';
import { useRun, useStored } from './hooks.ts';
import { Pair, Pairing } from './pair.tsx';
import { Page } from './page.tsx';
import { Waiting } from './waiting.tsx';

const Mark = () => (
  <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
    <rect width="32" height="32" rx="9" />
    <circle cx="16" cy="16" r="7" />
  </svg>
);

function Account({ connection, waiting }: { connection: Connection; waiting: number }) {
  const [signingOut, signOut] = useRun(() => ask('signOut'));
  const { server } = connection;
  return (
    <footer>
      <a href={server} target="_blank" rel="noreferrer">
        {new URL(server).host}
      </a>
      <button type="button" className="quiet" disabled={signingOut.isRunning} onClick={signOut}>
        {waiting > 0 ? `Sign out and discard ${waiting} waiting` : 'Sign out'}
      </button>
    </footer>
  );
}

export function App() {
  const stored = useStored();
  if (!stored) return <p className="hint padded">Loading…</p>;
  const { connection, waiting = [] } = stored;
  return (
    <>
      <header>
        <Mark />
        <h1>Engram</h1>
      </header>
      <main>
        {connection?.tokens ? (
          <Page server={connection.server} />
        ) : connection?.pairing ? (
          <Pairing code={connection.pairing.code} />
        ) : (
          <Pair connection={connection} />
        )}
        {waiting.length > 0 && <Waiting items={waiting} />}
      </main>
      {connection?.tokens && <Account connection={connection} waiting={waiting.length} />}
    </>
  );
}
