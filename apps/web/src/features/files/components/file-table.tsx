import { ActionIcon, Skeleton } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { formatDateTime, formatMegabytes, middleCut } from '../../../lib/format.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import { openFile } from '../open-file.ts';
import classes from './file-table.module.css';
import { KeywordBadges } from './keyword-badges.tsx';
import { Readiness } from './readiness.tsx';

const columns = ['File Name', 'Size', 'Source', 'Uploaded On', 'Search Ready', 'Keywords'] as const;

function FileRow({ file, onDelete }: { file: Artifact; onDelete: () => void }) {
  const { timeZone } = useAppSettings();
  const { artifactId, artifactFileName: name, artifactFileType: type, source } = file;
  return (
    <tr className={classes.row}>
      <td className={classes.file}>
        <div className={classes.fileLine}>
          <FileTypeIcon fileName={name} fileType={type} />
          <div className={classes.words}>
            <button
              className={classes.open}
              type="button"
              title={name}
              onClick={() => void openFile(artifactId)}
            >
              {middleCut(name, 44)}
            </button>
            {source === 'Text' && file.artifactText && (
              <span className={classes.preview}>{file.artifactText}</span>
            )}
          </div>
        </div>
      </td>
      <td className={classes.size} data-label="Size">
        {formatMegabytes(file.artifactFileSize)} MB
      </td>
      <td data-label="Source">{source}</td>
      <td className={classes.date} data-label="Uploaded On">
        {formatDateTime(file.artifactCreatedDate, timeZone)}
      </td>
      <td data-label="Search Ready">
        <Readiness file={file} />
      </td>
      <td data-label="Keywords">
        <KeywordBadges keywords={file.keywords} />
      </td>
      <td className={classes.action}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={`Delete ${name}`}
          onClick={onDelete}
        >
          <IconTrash size={17} stroke={1.7} />
        </ActionIcon>
      </td>
    </tr>
  );
}

const placeholders = [0.72, 0.55, 0.64, 0.48, 0.6, 0.52] as const;

function SkeletonRow({ width }: { width: number }) {
  return (
    <tr className={classes.row} aria-hidden="true">
      <td className={classes.file}>
        <div className={classes.fileLine}>
          <Skeleton width={19} height={23} radius={4} />
          <Skeleton width={`${width * 100}%`} height={12} />
        </div>
      </td>
      {columns.slice(1).map((column) => (
        <td key={column} data-label={column}>
          <Skeleton width={64} height={12} />
        </td>
      ))}
    </tr>
  );
}

interface FileTableProps {
  /** Undefined while the files are being loaded. */
  files: readonly Artifact[] | undefined;
  /** The shown files belong to an earlier question than the one being loaded. */
  stale: boolean;
  onDelete: (file: Artifact) => void;
}

/** The files: a table, and cards on small screens. */
export function FileTable({ files, stale, onDelete }: FileTableProps) {
  return (
    <table className={classes.table} aria-busy={!files || stale} data-stale={stale}>
      <caption className="eg-visually-hidden">Files, newest first</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" data-column={column}>
              {column}
            </th>
          ))}
          <th scope="col">
            <span className="eg-visually-hidden">Delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {files
          ? files.map((file) => (
              <FileRow key={file.artifactId} file={file} onDelete={() => onDelete(file)} />
            ))
          : placeholders.map((width) => <SkeletonRow key={width} width={width} />)}
      </tbody>
    </table>
  );
}
