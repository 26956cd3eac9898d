import classes from './soon.module.css';

/** Marks what is not there yet. */
export const Soon = () => <span className={classes.soon}>Coming Soon</span>;
