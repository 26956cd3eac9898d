import classes from './file-name.module.css';

/** The number of characters that stay at the end, such as a version and the file type. */
const TAIL = 7;

/** Right-to-left names are not shortened, because their parts would be reordered. */
const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;

interface FileNameProps {
  name: string;
  title?: string;
  tail?: number;
}

/** A file's name on one line, shortened in the middle if it does not fit. */
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
  // A space at the cut belongs to the first part, where it collapses.
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

const MAX_TAIL = 20;

export function FileFolder({ path }: { path: string | null }) {
  const at = path?.lastIndexOf('/') ?? -1;
  if (path === null || at <= 0) return null;
  const folder = path.slice(0, at);
  const [...last] = folder.slice(folder.lastIndexOf('/'));
  return (
    <span className={classes.folder}>
      <span className="eg-visually-hidden">In the folder </span>
      <FileName name={folder} title={path} tail={Math.min(last.length, MAX_TAIL)} />
    </span>
  );
}
