import classes from './try-it.module.css';

/** The page's last word. */
export function TryIt({ onTry }: { onTry: () => void }) {
  return (
    <section className={classes.card} aria-labelledby="try-heading">
      <div>
        <h2 id="try-heading">Ask your AI Brain anything</h2>
        <p>Upload a file, and ask about it a few seconds later.</p>
      </div>
      <button className={classes.try} type="button" onClick={onTry}>
        TRY
      </button>
    </section>
  );
}
