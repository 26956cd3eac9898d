import { Button, Text } from '@mantine/core';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { Icon } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { FailureNote } from '../../../components/notice.tsx';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Row, Rows } from '../../../components/row.tsx';
import { formatDateTime } from '../../../format/format.ts';

/** Rows that are shown at first. */
const SHOWN = 6;

interface AccessListProps<T> {
  title: string;
  lead: string;
  /** What is listed, such as 'sessions'. */
  noun: string;
  /** The accessible name of the list. */
  label: string;
  call: UseQueryResult<T[]>;
  /** A button that ends more than one. */
  endAll: ReactNode;
  empty?: string;
  renderRow: (row: T) => ReactNode;
}

/** The sessions or programs with access to the account, each with a button to end it. */
export function AccessList<T>(props: AccessListProps<T>) {
  const { title, lead, noun, label, call, endAll, empty, renderRow } = props;
  const { data: rows, error } = call;
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : (rows?.length ?? 0) - SHOWN;
  return (
    <Panel title={title} lead={lead} aside={rows && rows.length > 1 && endAll}>
      {!rows && <LoadState call={call} what={`your ${noun}`} heights={[56]} />}
      {rows && error && <FailureNote title="The list may be out of date." error={error} />}
      {rows?.length === 0 && empty && <Text c="dimmed">{empty}</Text>}
      {rows && rows.length > 0 && (
        <Rows label={label}>{rows.slice(0, hidden > 0 ? SHOWN : undefined).map(renderRow)}</Rows>
      )}
      {hidden > 0 && (
        <Button mt={16} variant="default" onClick={() => setWhole(true)}>
          Show all {rows?.length}
        </Button>
      )}
    </Panel>
  );
}

interface AccessRowProps<Input> {
  icon: Icon;
  name: ReactNode;
  facts: ReactNode[];
  /** The accessible name of the button; null if the row cannot be ended. */
  endLabel: string | null;
  end: UseMutationResult<unknown, Error, Input>;
  input: Input;
}

export function AccessRow<Input>(props: AccessRowProps<Input>) {
  const { icon, name, facts, endLabel, end, input } = props;
  return (
    <Row
      icon={icon}
      name={name}
      facts={facts}
      action={
        endLabel !== null && (
          <Button
            variant="subtle"
            color="red"
            loading={end.isPending}
            aria-label={endLabel}
            onClick={({ currentTarget }) => {
              // Takes the focus, as the button is removed with its row.
              const list = currentTarget.closest('ul');
              end.mutate(input, { onSuccess: () => list?.focus() });
            }}
          >
            End
          </Button>
        )
      }
    />
  );
}

/** A time in the list. */
export const When = ({ at }: { at: string }) => <time dateTime={at}>{formatDateTime(at)}</time>;
