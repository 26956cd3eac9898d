import { Checkbox, Skeleton } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { lazy, Suspense } from 'react';
import { FileName } from '../../../components/file-name.tsx';
import { formatDateTime, formatDuration, formatMegabytes } from '../../../lib/format.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import { openFile } from '../../../lib/open-file.ts';
import type { Selection } from '../use-selection.ts';
import classes from './file-table.module.css';
import { FileThumbnail } from './file-thumbnail.tsx';
import { Readiness } from './readiness.tsx';

// The list is there before what its menus need.
const KeywordCell = lazy(async () => ({
  default: (await import('./keyword-cell.tsx')).KeywordCell,
}));
const RowMenu = lazy(async () => ({ default: (await import('./row-menu.tsx')).RowMenu }));

const columns = ['File Name', 'Size', 'Source', 'Uploaded On', 'Search Ready', 'Keywords'] as const;

interface FileRowProps {
  file: Artifact;
  selected: boolean;
  knownKeywords: readonly string[];
  onToggle: () => void;
  onDelete: () => void;
}

function FileRow({ file, selected, knownKeywords, onToggle, onDelete }: FileRowProps) {
  const { timeZone } = useAppSettings();
  const { artifactFileName: name } = file;
  return (
    <tr className={classes.row} data-selected={selected || undefined}>
      <td className={classes.select}>
        <Checkbox size="xs" aria-label={`Select ${name}`} checked={selected} onChange={onToggle} />
      </td>
      <td className={classes.file}>
        <div className={classes.fileLine}>
          <FileThumbnail file={file} />
          <div className={classes.words}>
            <button
              className={classes.open}
              type="button"
              onClick={() => void openFile(file.artifactId)}
            >
              <FileName name={name} />
            </button>
            <FileDetail file={file} />
          </div>
        </div>
      </td>
      <td className={classes.size} data-label="Size">
        {formatMegabytes(file.artifactFileSize)} MB
      </td>
      <td data-label="Source">{file.source}</td>
      <td className={classes.date} data-label="Uploaded On">
        {formatDateTime(file.artifactCreatedDate, timeZone)}
      </td>
      <td data-label="Search Ready">
        <Readiness file={file} />
      </td>
      <td data-label="Keywords">
        <Suspense>
          <KeywordCell file={file} known={knownKeywords} />
        </Suspense>
      </td>
      <td className={classes.action}>
        <Suspense>
          <RowMenu file={file} onDelete={onDelete} />
        </Suspense>
      </td>
    </tr>
  );
}

/** How long a recording lasts, or how a note begins. */
function FileDetail({ file: { durationMs, source, artifactText } }: { file: Artifact }) {
  if (durationMs !== null) {
    return (
      <span className={classes.detail}>
        <span className="eg-visually-hidden">Duration </span>
        {formatDuration(durationMs)}
      </span>
    );
  }
  return source === 'Text' && artifactText ? (
    <span className={classes.detail}>{artifactText}</span>
  ) : null;
}

const placeholders = [0.72, 0.55, 0.64, 0.48, 0.6, 0.52] as const;

function SkeletonRow({ width }: { width: number }) {
  return (
    <tr className={classes.row} aria-hidden="true">
      <td className={classes.select}>
        <Skeleton width={16} height={16} radius={4} />
      </td>
      <td className={classes.file}>
        <div className={classes.fileLine}>
          <Skeleton width={40} height={40} radius={8} />
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
  selection: Selection;
  /** The person's active keywords. */
  knownKeywords: readonly string[];
  onDelete: (file: Artifact) => void;
}

/** The files: a table, and cards on small screens. */
export function FileTable({ files, stale, selection, knownKeywords, onDelete }: FileTableProps) {
  const selected = files?.filter(({ artifactId }) => selection.has(artifactId)).length ?? 0;
  const all = files !== undefined && files.length > 0 && selected === files.length;
  return (
    <table className={classes.table} aria-busy={!files || stale} data-stale={stale}>
      <caption className="eg-visually-hidden">Files, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className={classes.select}>
            <Checkbox
              size="xs"
              aria-label="Select all files on this page"
              label={
                <span className={classes.selectAll} aria-hidden="true">
                  Select all on this page
                </span>
              }
              checked={all}
              indeterminate={selected > 0 && !all}
              disabled={!files}
              onChange={() => selection.setPage(!all)}
            />
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" data-column={column}>
              {column}
            </th>
          ))}
          <th scope="col">
            <span className="eg-visually-hidden">Options</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {files
          ? files.map((file) => (
              <FileRow
                key={file.artifactId}
                file={file}
                selected={selection.has(file.artifactId)}
                knownKeywords={knownKeywords}
                onToggle={() => selection.toggle(file.artifactId)}
                onDelete={() => onDelete(file)}
              />
            ))
          : placeholders.map((width) => <SkeletonRow key={width} width={width} />)}
      </tbody>
    </table>
  );
}
