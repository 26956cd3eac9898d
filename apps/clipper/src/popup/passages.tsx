import { locationText, QUESTION_LIMIT } from '@engram/contract/browser';
import { ask } from '../calls.ts';
import { useRun } from './hooks.ts';

const SHOWN = 3;

/** Finds passages of other files about the title of the page. */
export function Passages({
  server,
  title,
  currentId,
}: {
  server: string;
  title: string;
  /** The file of the page itself. */
  currentId: string | undefined;
}) {
  const [finding, find] = useRun(() => ask('findPassages', title.slice(0, QUESTION_LIMIT)));
  const passages = finding.data
    ?.filter(({ artifactId }) => artifactId !== currentId)
    .slice(0, SHOWN);
  return (
    <section aria-label="What you saved about this">
      <button type="button" disabled={finding.isRunning} onClick={find}>
        {finding.isRunning ? 'Searching…' : 'What did I save about this?'}
      </button>
      <output className="status">
        {finding.error !== undefined && <p className="error">{finding.error}</p>}
        {passages?.length === 0 && <p className="hint">Your files don't seem to say.</p>}
      </output>
      {passages !== undefined && passages.length > 0 && (
        <ol className="passages">
          {passages.map((passage) => {
            const { artifactId, start, end, fileName, location, quote } = passage;
            const place = locationText(location, passage);
            return (
              <li key={`${artifactId}:${start}`}>
                <a
                  href={`${server}/source/${artifactId}?from=${start}&to=${end}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  {fileName}
                </a>
                {place && <span className="hint"> {place}</span>}
                <blockquote>{quote}</blockquote>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
