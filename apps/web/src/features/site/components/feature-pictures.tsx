import { IconFileText, IconLock, IconMessageQuestion, IconSearch } from '@tabler/icons-react';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import classes from './feature-pictures.module.css';

const stages = [
  { name: 'Letter, scanned.pdf', stage: 'Recognising page 3 of 5', share: 60 },
  { name: 'Household.xlsx', stage: 'Indexing', share: 90 },
  { name: 'Lease.pdf', stage: 'Ready', share: 100 },
];

export const AutomationPicture = () =>
  stages.map(({ name, stage, share }) => (
    <span key={name} className={classes.stage}>
      <FileTypeIcon fileName={name} />
      <span className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.quiet}>{stage}</span>
        <svg className={classes.track} viewBox="0 0 100 4" preserveAspectRatio="none">
          <rect className={classes.rest} width="100" height="4" />
          <rect className={share === 100 ? classes.done : classes.part} width={share} height="4" />
        </svg>
      </span>
    </span>
  ));

export const RetrievalPicture = () => (
  <>
    <span className={classes.question}>How much notice do I have to give?</span>
    <span className={classes.answer}>
      Three months, to the end of a month, in writing <span className={classes.number}>1</span>.
    </span>
    <span className={classes.source}>
      <span className={classes.head}>
        <span className={classes.number}>1</span>
        <FileTypeIcon fileName="Lease.pdf" />
        <span className={classes.name}>Lease.pdf</span>
        <span className={classes.pill}>p. 7</span>
      </span>
      <span className={classes.quote}>
        § 14 Notice. <mark>Either party may end the lease with three months’ notice</mark> to the
        end of a month.
      </span>
    </span>
  </>
);

const formats = [
  'a.pdf',
  'a.docx',
  'a.xlsx',
  'a.pptx',
  'a.csv',
  'a.html',
  'a.json',
  'a.md',
  'a.txt',
  'a.png',
  'a.jpg',
  'a.gif',
  'a.mp3',
  'a.wav',
  'a.mp4',
  'a.zip',
];

export const FormatsPicture = () => (
  <span className={classes.formats}>
    {formats.map((name) => (
      <span key={name} className={classes.format}>
        <FileTypeIcon fileName={name} />
      </span>
    ))}
  </span>
);

export const PrivacyPicture = () => (
  <span className={classes.machine}>
    <span className={classes.head}>
      <IconLock size={18} stroke={1.7} />
      <span className={classes.name}>Your server</span>
    </span>
    <span className={classes.parts}>
      {[
        { icon: IconFileText, label: 'Files' },
        { icon: IconSearch, label: 'Index' },
        { icon: IconMessageQuestion, label: 'Answers' },
      ].map(({ icon: PartIcon, label }) => (
        <span key={label} className={classes.kept}>
          <PartIcon size={22} stroke={1.5} />
          {label}
        </span>
      ))}
    </span>
    <span className={classes.quiet}>Leaves it: nothing, as it comes</span>
  </span>
);
