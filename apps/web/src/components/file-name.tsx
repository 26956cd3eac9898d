import classes from './file-name.module.css';

/** Letters at the end that always stay: the ending and what tells versions apart. */
const TAIL = 12;
/** Names up to this length fit everywhere. */
const SHORT = 24;

/** A file's name on one line; where there is no room for it, it is cut in the middle. */
export function FileName({ name }: { name: string }) {
  const letters = [...name];
  if (letters.length <= SHORT) {
    return (
      <span className={classes.short} title={name}>
        {name}
      </span>
    );
  }
  return (
    <span className={classes.name} title={name}>
      <span className={classes.head}>{letters.slice(0, -TAIL).join('')}</span>
      <span className={classes.tail}>{letters.slice(-TAIL).join('')}</span>
    </span>
  );
}
