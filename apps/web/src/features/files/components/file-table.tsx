import { Checkbox, Group, Skeleton, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { lazyPart } from '../../../components/lazy-part.tsx';
import { TableFrame } from '../../../components/table.tsx';
import type { FilePage } from '../use-artifacts.ts';
import { sortNames, type FilesView, type Sort } from '../files-view.ts';
import type { Selection } from '../use-selection.ts';
import { FileRow, type FileRowsProps } from './file-row.tsx';
import classes from './file-table.module.css';

interface Column {
  name: string;
  /** The sort orders of its heading. The first click applies the first one. */
  sorts?: readonly [Sort, Sort];
}

const columns: readonly Column[] = [
  { name: 'File Name', sorts: ['name', '-name'] },
  { name: 'Size', sorts: ['-size', 'size'] },
  { name: 'Source' },
  { name: 'Uploaded On', sorts: ['-created', 'created'] },
  { name: 'Search Ready' },
  { name: 'Keywords' },
];

/** Pages with more rows render only the visible ones. */
const SHORT_PAGE = 50;

const SkeletonRows = () => (
  <tbody>
    {[0.72, 0.55, 0.64, 0.48, 0.6, 0.52].map((width) => (
      <tr key={width} className={classes.row} aria-hidden="true">
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
    ))}
  </tbody>
);

const ShortRows = ({ files, offset, selected, openedId, ...rest }: FileRowsProps) => (
  <tbody>
    {files.map((file, index) => (
      <FileRow
        key={file.artifactId}
        file={file}
        position={offset + index}
        selected={selected.has(file.artifactId)}
        isOpen={file.artifactId === openedId}
        {...rest}
      />
    ))}
  </tbody>
);

const VirtualRows = lazyPart(() => import('./virtual-rows.tsx'), <SkeletonRows />);

interface HeadingProps {
  column: Column;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

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

interface FileTableProps extends Pick<FileRowsProps, 'openedId' | 'actions'> {
  view: FilesView;
  page: FilePage | undefined;
  stale: boolean;
  onSort: (sort: Sort) => void;
  selection: Selection;
  /** Called when the shown rows change. Must be a stable function. */
  onShown: () => void;
}

export function FileTable(props: FileTableProps) {
  const { view, page, stale, onSort, selection, onShown, openedId, actions } = props;
  useEffect(onShown, [page, onShown]);
  const ids = page?.files.map(({ artifactId }) => artifactId) ?? [];
  const selected = ids.filter((id) => selection.ids.has(id)).length;
  const Rows = ids.length > SHORT_PAGE ? VirtualRows : ShortRows;
  const isAllSelected = ids.length > 0 && selected === ids.length;
  return (
    <TableFrame
      className={classes.table}
      caption={`Files, ${sortNames[view.sort].toLowerCase()}`}
      aria-busy={!page || stale}
      aria-rowcount={page ? page.total + 1 : -1}
      data-stale={stale}
    >
      <thead>
        <tr>
          <th scope="col" className={classes.select}>
            <Checkbox
              size="xs"
              aria-label="Select all files on this page"
              checked={isAllSelected}
              indeterminate={selected > 0 && !isAllSelected}
              disabled={!page}
              onChange={() => (isAllSelected ? selection.remove(ids) : selection.add(ids))}
            />
          </th>
          {columns.map((column) => (
            <Heading key={column.name} column={column} sort={view.sort} onSort={onSort} />
          ))}
          <th scope="col" className={classes.action}>
            <span className="eg-visually-hidden">Options</span>
          </th>
        </tr>
      </thead>
      {page ? (
        <Rows
          files={page.files}
          offset={page.offset}
          selected={selection.ids}
          openedId={openedId}
          matchedWords={view.content ? view.q : ''}
          actions={actions}
        />
      ) : (
        <SkeletonRows />
      )}
    </TableFrame>
  );
}
