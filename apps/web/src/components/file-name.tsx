import classes from './file-name.module.css';

/** Characters that stay at the end: what often tells two versions of a file apart, and its type. */
const TAIL = 7;

/** Letters that are written from right to left: cut in two, their parts would change places. */
const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;

interface FileNameProps {
  name: string;
  /** What is told of it besides. Default: the name. */
  title?: string;
  /** Letters that stay at the end. Default: those of a version and a type. */
  tail?: number;
}

/** A file's name on one line: cut in the middle when there is no room for it, or at its end in a nook. */
export function FileName({ name, title = name, tail = TAIL }: FileNameProps) {
  if (RIGHT_TO_LEFT.test(name)) {
    return (
      <span className={classes.name} title={title}>
        <span className={classes.whole} data-uncut dir="auto">
          {name}
        </span>
      </span>
    );
  }
  const letters = [...name];
  // A blank at the cut goes with the beginning, where it vanishes together with the rest.
  const at = letters.length - tail + (letters.at(-tail) === ' ' ? 1 : 0);
  return (
    <span className={classes.name} title={title}>
      <span className={classes.whole}>{name}</span>
      <span className={classes.cut} aria-hidden="true">
        <span className={classes.head} data-text={letters.slice(0, Math.max(at, 0)).join('')} />
        <span data-text={letters.slice(Math.max(at, 0)).join('')} />
      </span>
    </span>
  );
}

/** Letters of the last folder's name that stay where there is no room for all. */
const MOST_KEPT = 20;

/** The folders that a file stands in, quietly below its name; nothing for a file that is in none. */
export function FileFolder({ path }: { path: string | null }) {
  const at = path?.lastIndexOf('/') ?? -1;
  if (path === null || at <= 0) return null;
  const folder = path.slice(0, at);
  const [...last] = folder.slice(folder.lastIndexOf('/'));
  return (
    <span className={classes.folder}>
      <span className="eg-visually-hidden">In the folder </span>
      <FileName name={folder} title={path} tail={Math.min(last.length, MOST_KEPT)} />
    </span>
  );
}
