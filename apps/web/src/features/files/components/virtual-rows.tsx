import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { FileRow, type FileRowsProps } from './file-row.tsx';
import classes from './file-table.module.css';

const ROW_PX = 64;
const OVERSCAN = 5;

export default function VirtualRows({ files, offset, selected, openedId, ...rest }: FileRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    // Content above the table appears and disappears.
    const measure = (): void => {
      const tableTop = body.current?.getBoundingClientRect().top ?? 0;
      setTop(Math.round(tableTop + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: files.length,
    estimateSize: () => ROW_PX,
    getItemKey: useCallback((index: number) => files[index]?.artifactId ?? index, [files]),
    measureElement: (row) => row.getBoundingClientRect().height,
    overscan: OVERSCAN,
    scrollMargin: top,
    // Scrolling does not wait for rows, which may appear a frame late.
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const above = Math.max(0, (items[0]?.start ?? top) - top);
  const below = Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top));
  return (
    <tbody ref={body}>
      <Space px={above} />
      {items.map(({ index, key }) => {
        const file = files[index];
        return (
          file && (
            <FileRow
              key={key}
              ref={virtualizer.measureElement}
              index={index}
              file={file}
              position={offset + index}
              selected={selected.has(file.artifactId)}
              isOpen={file.artifactId === openedId}
              {...rest}
            />
          )
        );
      })}
      <Space px={below} />
    </tbody>
  );
}

const Space = ({ px }: { px: number }) =>
  px > 0 && <tr className={classes.room} aria-hidden="true" style={{ height: px }} />;
