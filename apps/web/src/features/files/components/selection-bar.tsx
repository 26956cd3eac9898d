import { UnstyledButton } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { useMutation } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { useDeletions } from '../../../artifacts/deletions.ts';
import { notifyError } from '../../../components/notify.ts';
import { plural } from '../../../format/format.ts';
import { listIds } from '../use-artifacts.ts';
import type { FileFilter } from '../files-view.ts';
import type { Selection } from '../use-selection.ts';
import { SelectionActions } from './selection-actions.tsx';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  /** The files of the shown page. */
  files: readonly Artifact[];
  selection: Selection;
  /** How many selected files are on other pages. */
  elsewhere: number;
  filter: FileFilter;
  /** Files on all pages. */
  total: number;
  /** The user's active keywords. */
  knownKeywords: readonly string[];
  onDelete: () => void;
}

/** How many files are selected, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { files, selection, elsewhere, filter, total, knownKeywords, onDelete } = props;
  const { ids, add, remove, clear } = selection;
  const { hidden } = useDeletions();
  // Files that arrive later are not selected: the user has not seen them.
  const selectAll = useMutation({
    mutationFn: () => listIds(filter),
    onSuccess: (all) => add(all.filter((id) => !hidden.has(id))),
    onError: (error) => notifyError('The files could not be selected', error),
  });
  const isWholePage = files.every(({ artifactId }) => ids.has(artifactId));
  return (
    <div className={classes.place}>
      <section className={classes.bar} aria-label="Selected files">
        <output className={classes.count}>
          {plural(ids.size, 'file')} selected
          {elsewhere > 0 && <span>{elsewhere.toLocaleString('en-US')} on other pages</span>}
        </output>
        {!isWholePage && (
          <UnstyledButton
            className={classes.action}
            onClick={() => add(files.map(({ artifactId }) => artifactId))}
          >
            Select page
          </UnstyledButton>
        )}
        {isWholePage && ids.size < total && (
          <UnstyledButton
            className={classes.action}
            disabled={selectAll.isPending}
            onClick={() => selectAll.mutate()}
          >
            Select all {total.toLocaleString('en-US')}
          </UnstyledButton>
        )}
        <div className={classes.actions}>
          <SelectionActions
            files={files}
            ids={ids}
            archived={filter.archived}
            knownKeywords={knownKeywords}
            disabled={selectAll.isPending}
            onLeft={remove}
            onDelete={onDelete}
          />
        </div>
        <UnstyledButton className={classes.action} aria-label="Clear selection" onClick={clear}>
          <IconX size={18} stroke={1.8} aria-hidden="true" />
        </UnstyledButton>
      </section>
    </div>
  );
}
