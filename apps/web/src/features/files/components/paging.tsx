import { Button, NativeSelect } from '@mantine/core';
import { useId } from 'react';
import classes from './paging.module.css';

export const pageSizes = [10, 200, 300, 400] as const;

interface PagingProps {
  /** Counted from 0. */
  page: number;
  pageSize: number;
  /** Items on this page. */
  count: number;
  total: number;
  hasNext: boolean;
  onPageSize: (size: number) => void;
  onFirst: () => void;
  onPrevious: () => void;
  onNext: () => void;
}

/** '1-10 of 37 items' and the ways to the others. */
export function Paging(props: PagingProps) {
  const { page, pageSize, count, total, hasNext } = props;
  const sizeId = useId();
  const first = page * pageSize + 1;
  return (
    <nav className={classes.paging} aria-label="Pages">
      <div className={classes.size}>
        <label htmlFor={sizeId}>Items per page</label>
        <NativeSelect
          id={sizeId}
          size="xs"
          data={pageSizes.map(String)}
          value={String(pageSize)}
          onChange={(event) => props.onPageSize(Number(event.currentTarget.value))}
        />
      </div>
      <output className={classes.range}>
        {first.toLocaleString('en-US')}-{(first + count - 1).toLocaleString('en-US')} of{' '}
        {total.toLocaleString('en-US')} {total === 1 ? 'item' : 'items'}
      </output>
      <span className={classes.buttons}>
        <Button variant="default" size="xs" disabled={page === 0} onClick={props.onFirst}>
          First
        </Button>
        <Button variant="default" size="xs" disabled={page === 0} onClick={props.onPrevious}>
          Prev
        </Button>
        <Button variant="default" size="xs" disabled={!hasNext} onClick={props.onNext}>
          Next
        </Button>
      </span>
    </nav>
  );
}
