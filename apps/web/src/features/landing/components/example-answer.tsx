import classes from './example-answer.module.css';

/** A picture of an answer, made of type alone. */
export function ExampleAnswer() {
  return (
    <figure className={classes.example} aria-label="An example of an answer with its source">
      <p className={classes.question}>How much notice do I have to give for the flat?</p>
      <p className={classes.answer}>
        <strong>Three months, to the end of a month, in writing</strong>
        <span className={classes.cite}>1</span>
      </p>
      <div className={classes.source}>
        <span className={classes.head}>
          <span className={classes.cite}>1</span> Lease.pdf{' '}
          <span className={classes.pill}>p. 7</span>
        </span>
        <span>
          § 14 Notice.{' '}
          <mark>
            Either party may end the lease with three months’ notice to the end of a month
          </mark>
          , in writing.
        </span>
      </div>
    </figure>
  );
}
