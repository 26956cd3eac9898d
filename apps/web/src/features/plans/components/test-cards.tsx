import { Button } from '@mantine/core';
import { testCards } from '../card.ts';
import classes from './test-cards.module.css';

/** The cards that the sandbox knows, each to be filled in by one tap. */
export function TestCards({ onUse }: { onUse: (cardNumber: string) => void }) {
  return (
    <section className={classes.cards} aria-label="Test cards">
      <h2 className={classes.title}>Test cards</h2>
      <ul>
        {testCards.map(({ cardNumber, outcome }) => (
          <li key={cardNumber} className={classes.card}>
            <span>
              <span className={classes.number}>{cardNumber}</span>
              <span className={classes.outcome}> {outcome}</span>
            </span>
            <Button
              variant="light"
              size="xs"
              aria-label={`Use the card that ${outcome}`}
              onClick={() => onUse(cardNumber)}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
