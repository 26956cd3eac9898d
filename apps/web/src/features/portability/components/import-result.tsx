import type { ImportResult } from '@engram/contract';
import { Button, CloseButton, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../../format/format.ts';
import { Pairs } from '../../../components/pairs.tsx';

/** '3 imported, 2 already present'; empty if the export had none. */
function describe({ added, present }: ImportResult['files']): string {
  const parts = [];
  if (added > 0) parts.push(`${added.toLocaleString('en-US')} imported`);
  if (present > 0) parts.push(`${present.toLocaleString('en-US')} already present`);
  return parts.join(', ');
}

export function summaryOf({ files, history, keywords, profile, rejected }: ImportResult): string {
  const lists = [files, history, keywords];
  if (profile || lists.some(({ added }) => added > 0)) return 'Your export was imported.';
  const isKnown = lists.some(({ present }) => present > 0);
  if (rejected.length > 0) {
    return isKnown ? 'Nothing new was imported.' : 'Nothing was imported.';
  }
  return isKnown ? 'Everything in this export was already present.' : 'The export was empty.';
}

interface ImportOutcomeProps {
  result: ImportResult;
  onDismiss: () => void;
}

export function ImportOutcome({ result, onDismiss }: ImportOutcomeProps) {
  const { files, history, keywords, profile, rejected } = result;
  const rows = [
    { label: 'Files', value: describe(files) },
    { label: 'Questions', value: describe(history) },
    { label: 'Keywords', value: describe(keywords) },
    { label: 'Profile', value: profile ? 'Empty fields were filled in' : '' },
  ].filter(({ value }) => value !== '');
  return (
    <Paper
      component="section"
      pos="relative"
      mt={8}
      p="10px 44px 10px 16px"
      bg="var(--eg-surface-hover)"
      fz="sm"
      aria-label="Result of the import"
    >
      <CloseButton
        pos="absolute"
        top={10}
        right={10}
        size="sm"
        aria-label="Dismiss the result of the import"
        onClick={onDismiss}
      />
      <Pairs pairs={rows} />
      {files.added > 0 && (
        <Text inherit mt={8} c="dimmed">
          The files are being read and will be searchable soon.
        </Text>
      )}
      {rejected.length > 0 && <Rejected rejected={rejected} />}
    </Paper>
  );
}

const SHOWN = 5;

function Rejected({ rejected }: Pick<ImportResult, 'rejected'>) {
  const [isExpanded, setIsExpanded] = useState(false);
  const lines = [...new Map(rejected.map((line) => [JSON.stringify(line), line]))];
  return (
    <>
      <Text component="strong" inherit mt={14} c="red">
        {plural(rejected.length, 'entry was', 'entries were')} not imported
      </Text>
      <Stack component="ul" gap={6} mt={6}>
        {lines.slice(0, isExpanded ? undefined : SHOWN).map(([key, { name, message }]) => (
          <li key={key}>
            <Text component="bdi" inherit display="block" fw={500}>
              {name}
            </Text>
            <Text span inherit c="dimmed">
              {message}
            </Text>
          </li>
        ))}
      </Stack>
      {!isExpanded && lines.length > SHOWN && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          mt={6}
          ml={-8}
          onClick={() => setIsExpanded(true)}
        >
          Show all {lines.length}
        </Button>
      )}
    </>
  );
}
