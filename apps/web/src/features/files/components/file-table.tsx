import { Checkbox, Group, Skeleton, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { createElement, useDeferredValue, useEffect } from 'react';
import { TableFrame } from '../../../components/table.tsx';
import { columns, sortNames, type Column } from '../columns.ts';
import type { FilePage } from '../use-artifacts.ts';
import type { Sort } from '../files-view.ts';
import type { Selection } from '../use-selection.ts';
import { FileRow, type RowActions } from './file-row.tsx';
import type { FileRowsProps } from './file-rows.ts';
import { useVirtualRows, type VirtualRows } from './use-virtual-rows.ts';
import classes from './file-table.module.css';

/** As many rows are there at once, whether in sight or not; of longer pages they come and go. */
const SHORT_PAGE = 50;

const placeholders = [0.72, 0.55, 0.64, 0.48, 0.6, 0.52] as const;

function SkeletonRow({ width }: { width: number }) {
  return (
    <tr className={classes.row} aria-hidden="true">
      <td className={classes.select}>
        <Skeleton width={16} height={16} radius={4} />
      </td>
      <td className={classes.file}>
        <Group gap={12} wrap="nowrap">
          <Skeleton width={40} height={40} radius={8} />
          <Skeleton width={`${width * 100}%`} height={12} />
        </Group>
      </td>
      {columns.slice(1).map(({ name }) => (
        <td key={name} data-label={name}>
          <Skeleton width={64} height={12} />
        </td>
      ))}
      <td className={classes.action}>
        <Skeleton width={16} height={12} ml="auto" mr={14} />
      </td>
    </tr>
  );
}

const SkeletonRows = () => (
  <tbody>
    {placeholders.map((width) => (
      <SkeletonRow key={width} width={width} />
    ))}
  </tbody>
);

interface RowsProps extends FileRowsProps {
  /** Null until they are loaded. */
  virtualRows: VirtualRows | null;
}

function Rows({ virtualRows, ...props }: RowsProps) {
  const { files, offset, selected, openedId, ...rest } = props;
  if (files.length > SHORT_PAGE) {
    return virtualRows ? createElement(virtualRows, props) : <SkeletonRows />;
  }
  return (
    <tbody>
      {files.map((file, index) => (
        <FileRow
          key={file.artifactId}
          file={file}
          place={offset + index}
          selected={selected.has(file.artifactId)}
          isOpen={file.artifactId === openedId}
          {...rest}
        />
      ))}
    </tbody>
  );
}

interface HeadingProps {
  column: Column;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** The heading of a column, which sorts by it where it can. */
function Heading({ column: { name, sorts }, sort, onSort }: HeadingProps) {
  if (!sorts) {
    return (
      <th scope="col" data-column={name}>
        {name}
      </th>
    );
  }
  const sorted = sorts.includes(sort);
  const descends = sort.startsWith('-');
  const Arrow = descends ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      data-column={name}
      aria-sort={sorted ? (descends ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={sorted || undefined}
        onClick={() => onSort(sort === sorts[0] ? sorts[1] : sorts[0])}
      >
        {name}
        <Arrow size={14} stroke={2} aria-hidden="true" />
      </UnstyledButton>
    </th>
  );
}

interface FileTableProps {
  /** Undefined while the files are being loaded. */
  page: FilePage | undefined;
  /** The shown files belong to an earlier question than the one being loaded. */
  stale: boolean;
  /** As many files as are there at most. */
  size: number;
  sort: Sort;
  onSort: (sort: Sort) => void;
  selection: Selection;
  /** The file that is open beside the list. */
  openedId: string | null;
  /** Words that were searched for in what the files say; '' where they were not. */
  matchedWords: string;
  /** The user's active keywords. */
  knownKeywords: readonly string[];
  actions: RowActions;
  /** Called when other rows are there than before; always the same function. */
  onShown: () => void;
}

/** The files: a table, and where there is no room for one two lines for each. */
export function FileTable(props: FileTableProps) {
  const { page, stale, size, sort, onSort, selection, onShown, ...rows } = props;
  // Rows are made piece by piece, so that nothing the person does meanwhile has to wait for them.
  const shown = useDeferredValue(page);
  // They come together with the files, not after them.
  const virtualRows = useVirtualRows(size > SHORT_PAGE);
  useEffect(onShown, [shown, onShown]);
  const ids = page?.files.map(({ artifactId }) => artifactId) ?? [];
  const selected = ids.filter((id) => selection.ids.has(id)).length;
  const all = ids.length > 0 && selected === ids.length;
  return (
    <TableFrame
      className={classes.table}
      caption={`Files, ${sortNames[sort].toLowerCase()}`}
      aria-busy={!shown || stale}
      aria-rowcount={page ? page.total + 1 : -1}
      data-stale={stale}
    >
      <thead>
        <tr>
          <th scope="col" className={classes.select}>
            <Checkbox
              size="xs"
              aria-label="Select all files on this page"
              checked={all}
              indeterminate={selected > 0 && !all}
              disabled={!page}
              onChange={() => (all ? selection.remove(ids) : selection.add(ids))}
            />
          </th>
          {columns.map((column) => (
            <Heading key={column.name} column={column} sort={sort} onSort={onSort} />
          ))}
          <th scope="col" className={classes.action}>
            <span className="eg-visually-hidden">Options</span>
          </th>
        </tr>
      </thead>
      {page && shown ? (
        <Rows
          virtualRows={virtualRows}
          files={shown.files}
          offset={shown.offset}
          selected={selection.ids}
          {...rows}
        />
      ) : (
        <SkeletonRows />
      )}
    </TableFrame>
  );
}
