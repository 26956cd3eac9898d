import classes from './step-progress.module.css';

interface StepProgressProps {
  /** The question that is being asked, counted from 1. */
  step: number;
  of: number;
}

/** How far somebody is: in words, and as one dash for each question. */
export function StepProgress({ step, of }: StepProgressProps) {
  const words = `Question ${step} of ${of}`;
  return (
    <div className={classes.progress}>
      <p className={classes.words} aria-live="polite">
        {words}
      </p>
      <progress
        className="eg-visually-hidden"
        aria-label="Progress through the questions"
        aria-valuetext={words}
        value={step}
        max={of}
      />
      <div className={classes.dashes} aria-hidden="true">
        {Array.from({ length: of }, (_, index) => (
          <span key={index} className={classes.dash} data-reached={index < step || undefined} />
        ))}
      </div>
    </div>
  );
}
