import { IconArrowRight, IconCheck, IconFolder } from '@tabler/icons-react';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import classes from './sync-picture.module.css';

const files = ['Lease.pdf', 'Household.xlsx', 'Kick-off.pptx'];

/** A folder beside its twin in Engram, for the eye alone. */
export const SyncPicture = () => (
  <div className={classes.picture} aria-hidden="true">
    <span className={classes.side}>
      <span className={classes.head}>
        <IconFolder size={18} stroke={1.6} />
        Documents
      </span>
      {files.map((name) => (
        <span key={name} className={classes.file}>
          <FileTypeIcon fileName={name} />
          {name}
        </span>
      ))}
    </span>
    <span className={classes.way}>
      <IconArrowRight size={20} stroke={1.8} />
      every 5 minutes
    </span>
    <span className={classes.side}>
      <span className={classes.head}>
        <span className={classes.mark} />
        Engram
      </span>
      {files.map((name) => (
        <span key={name} className={classes.file}>
          <IconCheck size={16} stroke={2} />
          {name}
        </span>
      ))}
    </span>
  </div>
);
