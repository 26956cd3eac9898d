import { findingKinds, type Tally } from './findings.ts';

export interface DoctorReport {
  version: string;
  dataFolder: string;
  users: number;
  files: { status: string; files: number; bytes: number }[];
  indexRows: number;
  schema: string;
  /** The newest backup, or the reason why it is unknown. Missing if backups are off. */
  backup?: { name: string; files: number } | { problem: string } | null;
  disk: Record<string, number>;
  findings: Tally[];
  left: number;
}

const count = (n: number): string => n.toLocaleString('en-US');

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;

function describeFiles(files: DoctorReport['files']): string {
  const total = files.reduce((sum, group) => sum + group.files, 0);
  const bytes = files.reduce((sum, group) => sum + group.bytes, 0);
  const states = files.map((group) => `${count(group.files)} ${group.status}`).join(', ');
  return `${count(total)} (${megabytes(bytes)})${states && `: ${states}`}`;
}

function describeBackup({ backup }: DoctorReport): string[] {
  if (backup === undefined) return [];
  if (backup === null) return ['  Last backup   none'];
  const text =
    'problem' in backup ? backup.problem : `${backup.name}, ${count(backup.files)} files`;
  return [`  Last backup   ${text}`];
}

function describeTally({ kind, count: total, repaired, examples }: Tally): string[] {
  const { problem, repair } = findingKinds[kind];
  const more = total > examples.length ? ', …' : '';
  return [
    `  ${count(total)} ${problem}${repaired > 0 ? `: ${repair}` : ''}`,
    ...(examples.length > 0 ? [`    ${examples.join(', ')}${more}`] : []),
  ];
}

function conclusion({ findings, left }: DoctorReport): string[] {
  if (findings.length === 0) return ['Everything is consistent: database, files and search index.'];
  const repaired = findings.some((tally) => tally.repaired > 0);
  const lines = findings.flatMap(describeTally);
  if (!repaired) {
    return ['Inconsistent:', ...lines, '', "Repair it with 'npm run doctor -- --fix'."];
  }
  const end =
    left === 0
      ? 'Everything is consistent now. Queued files are processed when Engram runs.'
      : `${count(left)} inconsistencies remain. Run the doctor again.`;
  return ['Repaired:', ...lines, '', end];
}

export function describeReport(report: DoctorReport): string {
  const { version, dataFolder, users, files, indexRows, schema, disk } = report;
  const used = Object.entries(disk).map(([folder, bytes]) => `${folder} ${megabytes(bytes)}`);
  return [
    `Engram ${version}, data folder ${dataFolder}`,
    '',
    `  Users         ${count(users)}`,
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
