import classes from './tag.module.css';

/** Marks what is not there yet. */
export const Soon = () => <span className={classes.tag}>Coming Soon</span>;
