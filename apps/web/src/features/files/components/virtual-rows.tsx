import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { FileRow } from './file-row.tsx';
import type { FileRowsProps } from './file-rows.ts';
import classes from './file-table.module.css';

/** Height of a row that was not measured yet. */
const ROW_PX = 64;
/** Rows that are there beyond those in sight, on either side. */
const OVERSCAN = 5;

/** A page of hundreds of files: only the rows in sight are there, between the room of the others. */
export function VirtualRows(props: FileRowsProps) {
  const { files, offset, selected, openedId, ...rest } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    // Also what stands above the table comes and goes.
    const measure = (): void => {
      const at = body.current?.getBoundingClientRect().top ?? 0;
      setTop(Math.round(at + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: files.length,
    estimateSize: () => ROW_PX,
    getItemKey: useCallback((index: number) => files[index]?.artifactId ?? index, [files]),
    measureElement: (row) => row.getBoundingClientRect().height,
    overscan: OVERSCAN,
    scrollMargin: top,
    // What comes into sight may be a frame late; the page never waits for it.
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const above = Math.max(0, (items[0]?.start ?? top) - top);
  const below = Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top));
  return (
    <tbody ref={body}>
      <Room px={above} />
      {items.map(({ index, key }) => {
        const file = files[index];
        return (
          file && (
            <FileRow
              key={key}
              ref={virtualizer.measureElement}
              index={index}
              file={file}
              place={offset + index}
              selected={selected.has(file.artifactId)}
              isOpen={file.artifactId === openedId}
              {...rest}
            />
          )
        );
      })}
      <Room px={below} />
    </tbody>
  );
}

/** The room of rows that are out of sight. */
const Room = ({ px }: { px: number }) =>
  px > 0 && <tr className={classes.room} aria-hidden="true" style={{ height: px }} />;
