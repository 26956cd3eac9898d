import classes from './pictures.module.css';

interface Row {
  name: string;
  note: string;
  tone?: 'good' | 'busy' | 'bad';
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return rows.map(({ name, note, tone }) => (
    <span key={name} className={classes.row}>
      <span className={classes.name}>{name}</span>
      <span className={classes.note} data-tone={tone}>
        {note}
      </span>
    </span>
  ));
}

export const FilesPicture = () => (
  <Rows
    rows={[
      { name: 'Lease.pdf', note: 'Ready', tone: 'good' },
      { name: 'Household.xlsx', note: 'Ready', tone: 'good' },
      { name: 'Letter, scanned.png', note: 'Page 3 of 5', tone: 'busy' },
      { name: 'Statement.pdf', note: 'Password-protected', tone: 'bad' },
      { name: 'Kick-off.pptx', note: 'Ready', tone: 'good' },
    ]}
  />
);

export const StatesPicture = () => (
  <>
    <span className={classes.row}>
      <span className={classes.name}>Archive 2019.zip</span>
      <span className={classes.note}>64 %</span>
    </span>
    <span className={classes.track}>
      <span className={classes.bar} />
    </span>
    <span className={classes.quiet}>214 files in it, 137 read</span>
  </>
);

export const SchemesPicture = () => (
  <span className={classes.schemes}>
    <span className={classes.scheme} data-dark={false}>
      Light
      <span className={classes.line} />
      <span className={classes.line} />
    </span>
    <span className={classes.scheme} data-dark>
      Dark
      <span className={classes.line} />
      <span className={classes.line} />
    </span>
  </span>
);

export const DeletionPicture = () => (
  <>
    <span className={classes.question}>What does the old contract say about fees?</span>
    <span className={classes.removed}>Removed: the file was deleted.</span>
    <Rows
      rows={[
        { name: 'Who can read your files', note: 'You' },
        { name: 'A link ends after', note: '15 minutes' },
      ]}
    />
  </>
);
