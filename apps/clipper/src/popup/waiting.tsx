import { ask } from '../calls.ts';
import type { WaitingItem } from '../stored.ts';
import { useRun } from './hooks.ts';

function Row({ item: { id, title, error, refused } }: { item: WaitingItem }) {
  const [retrying, retry] = useRun(() => ask('retry', id));
  return (
    <li>
      <strong>{title}</strong>
      <p className={refused ? 'error' : 'hint'}>{error ?? 'Sending…'}</p>
      <div className="row">
        <button
          type="button"
          className="small"
          aria-label={`Retry ${title}`}
          disabled={retrying.isRunning}
          onClick={retry}
        >
          Retry
        </button>
        <button
          type="button"
          className="small"
          aria-label={`Discard ${title}`}
          onClick={() => void ask('discard', id)}
        >
          Discard
        </button>
      </div>
    </li>
  );
}

/** The queued items. */
export function Waiting({ items }: { items: readonly WaitingItem[] }) {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">Waiting to be sent ({items.length})</h2>
      <ul className="waiting">
        {items.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}
