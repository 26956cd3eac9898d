import { fileLook } from '../artifacts/file-types.ts';
import classes from './file-type-icon.module.css';

interface FileTypeIconProps {
  fileName?: string;
  /** Media type. */
  fileType?: string;
}

/** A small coloured sheet with the file's type; decoration, as the name beside it says the same. */
export function FileTypeIcon(props: FileTypeIconProps) {
  const { kind, label } = fileLook(props);
  return (
    <span
      className={classes.icon}
      data-kind={kind}
      data-long={label.length > 3 || undefined}
      aria-hidden="true"
    >
      {label}
    </span>
  );
}
