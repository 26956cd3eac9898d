import { findingKinds, type Tally } from './findings.ts';

export interface DoctorReport {
  version: string;
  dataFolder: string;
  people: number;
  files: { status: string; files: number; bytes: number }[];
  indexRows: number;
  schema: string;
  /** The newest backup, or why it is not known. Left out if backups are off. */
  backup?: { name: string; files: number } | { problem: string } | null;
  disk: Record<string, number>;
  findings: Tally[];
  left: number;
}

const count = (n: number): string => n.toLocaleString('en-US');

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;

function describeFiles(files: DoctorReport['files']): string {
  const total = files.reduce((sum, each) => sum + each.files, 0);
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  const states = files.map((each) => `${count(each.files)} ${each.status}`).join(', ');
  return `${count(total)} (${megabytes(bytes)})${states && `: ${states}`}`;
}

function describeBackup({ backup }: DoctorReport): string[] {
  if (backup === undefined) return [];
  if (backup === null) return ['  Last backup   none yet'];
  const text =
    'problem' in backup ? backup.problem : `${backup.name}, ${count(backup.files)} files`;
  return [`  Last backup   ${text}`];
}

function describeTally({ kind, count: found, mended, examples }: Tally): string[] {
  const { found: what, mended: how } = findingKinds[kind];
  const more = found > examples.length ? ', …' : '';
  return [
    `  ${count(found)} ${what}${mended > 0 ? `: ${how}` : ''}`,
    ...(examples.length > 0 ? [`    ${examples.join(', ')}${more}`] : []),
  ];
}

function conclusion({ findings, left }: DoctorReport): string[] {
  if (findings.length === 0) return ['All is well: database, files and search index agree.'];
  const mended = findings.some((tally) => tally.mended > 0);
  const lines = findings.flatMap(describeTally);
  if (!mended) {
    return ['Inconsistent:', ...lines, '', "Mend it with 'npm run doctor -- --fix'."];
  }
  const end =
    left === 0
      ? 'All is well now. What is queued is read when Engram runs.'
      : `${count(left)} inconsistencies are left. Run the doctor once more.`;
  return ['Mended:', ...lines, '', end];
}

export function describeReport(report: DoctorReport): string {
  const { version, dataFolder, people, files, indexRows, schema, disk } = report;
  const used = Object.entries(disk).map(([folder, bytes]) => `${folder} ${megabytes(bytes)}`);
  return [
    `Engram ${version}, data folder ${dataFolder}`,
    '',
    `  People        ${count(people)}`,
    `  Files         ${describeFiles(files)}`,
    `  Search index  ${count(indexRows)} rows`,
    `  Schema        ${schema}`,
    `  On the disk   ${used.join(', ')}`,
    ...describeBackup(report),
    '',
    ...conclusion(report),
    '',
  ].join('\n');
}
