import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { lastPage, pageSizes, type FilesView, type PageSize } from '../files-view.ts';
import type { FilePage } from '../use-artifacts.ts';

interface PagingProps {
  view: FilesView;
  files: FilePage;
  onSize: (size: PageSize) => void;
  onPage: (page: number) => void;
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

export function Paging({ view, files, onSize, onPage }: PagingProps) {
  const { page, size } = view;
  const { offset, total } = files;
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
            onSize(pageSizes.find((pageSize) => String(pageSize) === value) ?? size)
          }
        />
      </Group>
      <output>
        {formatCount(offset + 1)}-{formatCount(offset + files.files.length)} of {formatCount(total)}{' '}
        {total === 1 ? 'item' : 'items'}
      </output>
      <Group component="span" gap={6} ml="auto">
        <PageButton label="First" to={page > 1 ? 1 : null} onPage={onPage} />
        <PageButton label="Prev" to={page > 1 ? page - 1 : null} onPage={onPage} />
        <PageNumber key={page} page={page} last={last} onPage={onPage} />
        <PageButton label="Next" to={page < last ? page + 1 : null} onPage={onPage} />
        <PageButton label="Last" to={page < last ? last : null} onPage={onPage} />
      </Group>
    </Group>
  );
}

interface PageButtonProps {
  label: string;
  to: number | null;
  onPage: (page: number) => void;
}

/** Uses `aria-disabled` instead of `disabled`, so that the button keeps the focus. */
const PageButton = ({ label, to, onPage }: PageButtonProps) => (
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

const centered = { input: { textAlign: 'center' } } as const;

/** The page number. Typing a number opens that page, or the nearest one. */
function PageNumber({ page, last, onPage }: PageNumberProps) {
  const [typed, setTyped] = useState(String(page));
  const openTypedPage = (): void => {
    const target = Math.min(Math.max(Number(typed), 1), last);
    setTyped(String(typed === '' ? page : target));
    if (typed !== '' && target !== page) onPage(target);
  };
  return (
    <Group component="span" gap={7} px={4} wrap="nowrap">
      <TextInput
        size="xs"
        w={54}
        styles={centered}
        aria-label={`Page of ${formatCount(last)}`}
        inputMode="numeric"
        value={typed}
        onFocus={(event) => event.currentTarget.select()}
        onChange={({ currentTarget: { value } }) =>
          setTyped(value.replaceAll(/\D/gu, '').slice(0, 7))
        }
        onBlur={openTypedPage}
        onKeyDown={({ key }) => {
          if (key === 'Enter') openTypedPage();
          if (key === 'Escape') setTyped(String(page));
        }}
      />
      <span aria-hidden="true">of {formatCount(last)}</span>
    </Group>
  );
}
