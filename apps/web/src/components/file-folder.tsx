import classes from './file-folder.module.css';
import { FileName } from './file-name.tsx';

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
