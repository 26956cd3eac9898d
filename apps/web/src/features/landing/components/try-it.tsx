import { Button } from '@mantine/core';
import classes from './landing.module.css';

/** The page's last word. */
export function TryIt({ onTry }: { onTry: () => void }) {
  return (
    <section className={`${classes.card} ${classes.last}`} aria-labelledby="try-heading">
      <div>
        <h2 id="try-heading" className={classes.heading}>
          Ask your AI Brain anything
        </h2>
        <p className={classes.lead}>Upload a file, and ask about it a few seconds later.</p>
      </div>
      {/* White in both schemes, as its card is dark in both. */}
      <Button variant="white" color="#4837c4" size="md" h={48} miw={128} fw={650} onClick={onTry}>
        TRY
      </Button>
    </section>
  );
}
