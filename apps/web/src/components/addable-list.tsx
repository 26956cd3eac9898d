import { Button, Paper, Text } from '@mantine/core';
import { IconPlus, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { capitalized } from '../format/format.ts';
import { EmptyState } from './empty-state.tsx';
import { CallList, ListSection, Rows, type CallListProps } from './lists.tsx';

interface AddableListProps<T> extends Pick<CallListProps<T>, 'call'> {
  /** The singular and plural of the listed objects. */
  nouns: readonly [string, string];
  /** The maximum number of rows. */
  limit: number;
  icon: Icon;
  /** Explains the purpose of the objects while the list is empty. */
  text: string;
  onAdd: () => void;
  renderRow: (row: T) => ReactNode;
  /** Dialogs. */
  children: ReactNode;
}

/** A list of the user's objects of one kind, with a button that adds more. */
export function AddableList<T>(props: AddableListProps<T>) {
  const { call, nouns, limit, icon: ListIcon, text, onAdd, renderRow, children } = props;
  const [noun, plural] = nouns;
  const count = call.data?.length;
  const isFull = (count ?? 0) >= limit;
  return (
    <ListSection
      title={capitalized(plural)}
      count={count}
      actions={
        <Button
          ml="auto"
          variant="default"
          disabled={isFull}
          leftSection={<IconPlus size={16} stroke={2} />}
          onClick={onAdd}
        >
          Add {noun}
        </Button>
      }
    >
      <CallList
        call={call}
        what={`your ${plural}`}
        heights={[72]}
        empty={
          <EmptyState
            icon={<ListIcon size={24} stroke={1.6} />}
            title={`No ${plural} yet`}
            text={text}
          />
        }
      >
        {(rows) => (
          <Paper p={16}>
            <Rows label={`Your ${plural}`}>{rows.map(renderRow)}</Rows>
          </Paper>
        )}
      </CallList>
      {isFull && (
        <Text mt={12} size="sm" c="dimmed">
          You have {limit} {plural}, which is the maximum.
        </Text>
      )}
      {children}
    </ListSection>
  );
}
