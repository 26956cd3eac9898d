import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { lastPage, pageSizes, type PageSize } from '../files-view.ts';

interface PagingProps {
  /** Counted from 1. */
  page: number;
  size: PageSize;
  /** Items before those that are shown. */
  offset: number;
  /** Items that are shown. */
  count: number;
  total: number;
  onSize: (size: PageSize) => void;
  onPage: (page: number) => void;
}

const grouped = (count: number): string => count.toLocaleString('en-US');

/** '1-10 of 37 items' and the ways to the others. */
export function Paging({ page, size, offset, count, total, onSize, onPage }: PagingProps) {
  const sizeId = useId();
  const last = lastPage(total, size);
  return (
    <Group component="nav" pt={16} c="dimmed" fz="sm" gap="10px 20px" aria-label="Pages">
      <Group gap={8} wrap="nowrap">
        <label htmlFor={sizeId}>Items per page</label>
        <NativeSelect
          id={sizeId}
          size="xs"
          data={pageSizes.map(String)}
          value={String(size)}
          onChange={({ currentTarget: { value } }) =>
            onSize(pageSizes.find((each) => String(each) === value) ?? size)
          }
        />
      </Group>
      <output>
        {grouped(offset + 1)}-{grouped(offset + count)} of {grouped(total)}{' '}
        {total === 1 ? 'item' : 'items'}
      </output>
      <Group component="span" gap={6} ml="auto">
        <Turn label="First" to={page > 1 ? 1 : null} onPage={onPage} />
        <Turn label="Prev" to={page > 1 ? page - 1 : null} onPage={onPage} />
        <PageNumber key={page} page={page} last={last} onPage={onPage} />
        <Turn label="Next" to={page < last ? page + 1 : null} onPage={onPage} />
        <Turn label="Last" to={page < last ? last : null} onPage={onPage} />
      </Group>
    </Group>
  );
}

interface TurnProps {
  label: string;
  /** Null where there is no such page. */
  to: number | null;
  onPage: (page: number) => void;
}

/** Leads to a page. One that leads nowhere keeps the focus of whoever has just come to the end. */
const Turn = ({ label, to, onPage }: TurnProps) => (
  <Button
    variant="default"
    size="xs"
    px={9}
    data-disabled={to === null || undefined}
    aria-disabled={to === null}
    onClick={() => to !== null && onPage(to)}
  >
    {label}
  </Button>
);

interface PageNumberProps {
  page: number;
  last: number;
  onPage: (page: number) => void;
}

const centred = { input: { textAlign: 'center' } } as const;

/** The number of the page, which leads to the one that is typed: the nearest where there is none. */
function PageNumber({ page, last, onPage }: PageNumberProps) {
  const [typed, setTyped] = useState(String(page));
  const leave = (): void => {
    const wanted = Math.min(Math.max(Number(typed), 1), last);
    setTyped(String(typed === '' ? page : wanted));
    if (typed !== '' && wanted !== page) onPage(wanted);
  };
  return (
    <Group component="span" gap={7} px={4} wrap="nowrap">
      <TextInput
        size="xs"
        w={54}
        styles={centred}
        aria-label={`Page of ${grouped(last)}`}
        inputMode="numeric"
        value={typed}
        onFocus={(event) => event.currentTarget.select()}
        onChange={({ currentTarget: { value } }) =>
          setTyped(value.replaceAll(/\D/gu, '').slice(0, 7))
        }
        onBlur={leave}
        onKeyDown={({ key }) => {
          if (key === 'Enter') leave();
          if (key === 'Escape') setTyped(String(page));
        }}
      />
      <span aria-hidden="true">of {grouped(last)}</span>
    </Group>
  );
}
