import { Checkbox, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { lazy, memo, type Ref } from 'react';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { formatDateTime, formatDuration, formatMegabytes } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import classes from './file-table.module.css';
import { FileThumbnail } from './file-thumbnail.tsx';
import { KeywordCell } from './keyword-cell.tsx';
import { OnFirstPress } from './on-first-press.tsx';
import { Readiness } from './readiness.tsx';
import { OptionsButton } from './row-buttons.tsx';

const RowMenu = lazy(async () => ({ default: (await import('./row-menu.tsx')).RowMenu }));

/** What can be done with a file of the list; the same functions for as long as the page is there. */
export interface RowActions {
  /** With `isRange` all files from the last one that was selected on. */
  onToggle: (id: string, isRange: boolean) => void;
  onPreview: (file: Artifact) => void;
  /** Shows the file beside the list. */
  onOpen: (file: Artifact) => void;
  onDelete: (file: Artifact) => void;
  /** Called when the file is gone, or belongs to another list from now on. */
  onLeft: (id: string) => void;
}

interface FileRowProps {
  file: Artifact;
  selected: boolean;
  /** The person's active keywords. */
  knownKeywords: readonly string[];
  actions: RowActions;
  /** The row's place among all files of the list, counted from 0. */
  place: number;
  /** Where only the rows in sight are there: the row's place on the page, and who measures it. */
  index?: number;
  ref?: Ref<HTMLTableRowElement>;
}

/** One file; it changes only with what is handed in. */
export const FileRow = memo(function FileRow(props: FileRowProps) {
  const { file, selected, knownKeywords, actions, place, index, ref } = props;
  const { artifactId, artifactFileName: name } = file;
  return (
    <tr
      ref={ref}
      className={classes.row}
      data-selected={selected || undefined}
      data-index={index}
      data-file={artifactId}
      // The heading is the first row.
      aria-rowindex={place + 2}
    >
      <td className={classes.select}>
        <Checkbox
          size="xs"
          aria-label={`Select ${name}`}
          checked={selected}
          onChange={({ nativeEvent }) =>
            // A key that presses a checkbox clicks it, too.
            actions.onToggle(artifactId, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
          }
        />
      </td>
      <FileCells file={file} knownKeywords={knownKeywords} actions={actions} />
    </tr>
  );
});

type FileCellsProps = Pick<FileRowProps, 'file' | 'knownKeywords' | 'actions'>;

/** All of a row that stays as it is while files are selected. */
const FileCells = memo(function FileCells({ file, knownKeywords, actions }: FileCellsProps) {
  const { timeZone } = useTimeZone();
  const { artifactId, artifactFileName: name } = file;
  return (
    <>
      <td className={classes.file}>
        <Group gap={12} wrap="nowrap">
          <FileThumbnail file={file} onPreview={actions.onPreview} />
          <Stack flex={1} miw={0} gap={0}>
            <UnstyledButton className={classes.open} onClick={() => actions.onOpen(file)}>
              <FileName name={name} />
            </UnstyledButton>
            <FileFolder path={file.path} />
            <FileDetail file={file} />
          </Stack>
        </Group>
      </td>
      <td data-label="Size">{formatMegabytes(file.artifactFileSize)} MB</td>
      <td data-label="Source">{file.source}</td>
      <td data-label="Uploaded On">{formatDateTime(file.artifactCreatedDate, timeZone)}</td>
      <td data-label="Search Ready">
        <Readiness file={file} />
      </td>
      <td data-label="Keywords">
        <KeywordCell file={file} known={knownKeywords} />
      </td>
      <td className={classes.action}>
        <OnFirstPress
          renderButton={(open) => (
            <OptionsButton name={name} aria-expanded={false} onClick={open} />
          )}
        >
          <RowMenu
            file={file}
            onOpen={() => actions.onOpen(file)}
            onDelete={() => actions.onDelete(file)}
            onArchived={() => actions.onLeft(artifactId)}
          />
        </OnFirstPress>
      </td>
    </>
  );
});

/** How long a recording lasts, or how a note begins. */
function FileDetail({ file: { durationMs, source, artifactText } }: { file: Artifact }) {
  if (durationMs !== null) {
    return (
      <Text size="xs" c="dimmed">
        <span className="eg-visually-hidden">Duration </span>
        {formatDuration(durationMs)}
      </Text>
    );
  }
  return source === 'Text' && artifactText ? (
    <Text size="xs" c="dimmed">
      {artifactText}
    </Text>
  ) : null;
}
