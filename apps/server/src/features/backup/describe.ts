import type { Backup } from './manifest.ts';

const count = (n: number): string => n.toLocaleString('en-US');
const megabytes = (bytes: number): string => `${count(Math.ceil(bytes / 1_000_000))} MB`;

const describe = ({ name, files, bytes, data, engram, schema }: Backup): string =>
  `${name}  ${count(files)} files (${megabytes(bytes)}), database ${megabytes(data.size)}, Engram ${engram}, schema ${schema}\n`;

/** A line for each backup, for a person at a terminal. */
export const describeBackups = (backups: readonly Backup[]): string =>
  backups.map(describe).join('');
