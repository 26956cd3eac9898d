import { ActionIcon, Checkbox, Group, Highlight, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { lazy, memo, type Ref } from 'react';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { formatDateTime, formatDuration, formatMegabytes } from '../../../format/format.ts';
import classes from './file-table.module.css';
import { FileThumbnail } from './file-thumbnail.tsx';
import { KeywordCell } from './keyword-cell.tsx';
import { Readiness, reasonOf } from './readiness.tsx';
import { DeferredMenu, optionsButton } from './row-buttons.tsx';

const RowMenu = lazy(() => import('./row-menu.tsx'));

export interface RowActions {
  /** With `isRange` it selects all files from the last selected one. */
  onToggle: (id: string, isRange: boolean) => void;
  onPreview: (file: Artifact) => void;
  onOpen: (file: Artifact) => void;
  onDelete: (file: Artifact) => void;
  onLeaveList: (id: string) => void;
}

export interface FileRowsProps {
  files: readonly Artifact[];
  offset: number;
  selected: ReadonlySet<string>;
  openedId: string | null;
  matchedWords: string;
  actions: RowActions;
}

interface FileRowProps extends Pick<FileRowsProps, 'matchedWords' | 'actions'> {
  file: Artifact;
  selected: boolean;
  isOpen: boolean;
  position: number;
  index?: number;
  ref?: Ref<HTMLTableRowElement>;
}

export const FileRow = memo(function FileRow(props: FileRowProps) {
  const { file, selected, isOpen, position, index, ref, matchedWords, actions } = props;
  const { artifactId, artifactFileName: name } = file;
  const reason = reasonOf(file);
  return (
    <tr
      ref={ref}
      className={classes.row}
      data-selected={selected || undefined}
      aria-current={isOpen || undefined}
      data-index={index}
      data-file={artifactId}
      // The heading is the first row.
      aria-rowindex={position + 2}
    >
      <td className={classes.select}>
        <Checkbox
          size="xs"
          aria-label={`Select ${name}`}
          checked={selected}
          onChange={({ nativeEvent }) =>
            // A key also fires a click event.
            actions.onToggle(artifactId, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
          }
        />
      </td>
      <td className={classes.file}>
        <Group gap={12} wrap="nowrap">
          <FileThumbnail file={file} onPreview={actions.onPreview} />
          <Stack flex={1} miw={0} gap={0}>
            <UnstyledButton className={classes.open} onClick={() => actions.onOpen(file)}>
              <FileName name={name} />
            </UnstyledButton>
            <FileFolder path={file.path} />
            <FileDetail file={file} matchedWords={matchedWords} />
            {reason && (
              <Text
                size="sm"
                c={file.stage === 'failed' && !file.needsPassword ? 'red' : 'dimmed'}
                lh={1.4}
              >
                {reason}
              </Text>
            )}
          </Stack>
        </Group>
      </td>
      <td data-label="Size">{formatMegabytes(file.artifactFileSize)} MB</td>
      <td data-label="Source">{file.source}</td>
      <td data-label="Uploaded On">{formatDateTime(file.artifactCreatedDate)}</td>
      <td data-label="Search Ready">
        <Readiness file={file} />
      </td>
      <td data-label="Keywords">
        <KeywordCell file={file} />
      </td>
      <td className={classes.action}>
        <DeferredMenu
          renderButton={(open) => (
            <ActionIcon {...optionsButton(name)} aria-expanded={false} onClick={open} />
          )}
        >
          <RowMenu
            file={file}
            onOpen={() => actions.onOpen(file)}
            onDelete={() => actions.onDelete(file)}
            onArchived={() => actions.onLeaveList(artifactId)}
          />
        </DeferredMenu>
      </td>
    </tr>
  );
});

function FileDetail({ file, matchedWords }: Pick<FileRowProps, 'file' | 'matchedWords'>) {
  const { durationMs, source, artifactText, matchedLine } = file;
  if (matchedLine && matchedWords !== '') {
    return (
      <Text size="sm" c="dimmed" lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        <Highlight component="span" unstyled highlight={matchedWords.split(/\s+/u)}>
          {matchedLine}
        </Highlight>
      </Text>
    );
  }
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
