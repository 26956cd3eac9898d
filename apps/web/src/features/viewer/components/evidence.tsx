import { Box, Group, ScrollArea, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { titleOf, type Viewed } from '../../../artifacts/evidence.ts';
import { countSources, SourceList } from './source-list.tsx';
import { SourceViewer } from './source-viewer.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import classes from './viewer-header.module.css';

export interface EvidenceProps {
  viewed: Viewed;
  onNavigate: (n: number | null) => void;
  onClose: () => void;
}

/** What the evidence pane holds: the list of an answer's sources, or one of them at its place. */
export default function Evidence(props: EvidenceProps) {
  const { list, n } = props.viewed;
  const citation = list.find((candidate) => candidate.n === n);
  if (!citation) return <AllSources {...props} />;
  // Another citation starts again: its own place, its own way of showing.
  return <SourceViewer key={`${n} ${citation.artifactId}`} {...props} citation={citation} />;
}

function AllSources({ viewed, onNavigate, onClose }: EvidenceProps) {
  const { list, pending } = viewed;
  const isEmpty = list.length === 0;
  return (
    <>
      <Group component="header" className={classes.header} gap={12} wrap="nowrap">
        <Text component="h2" fz="md" fw={600} lh={1.35}>
          {titleOf(viewed)}
        </Text>
        {!isEmpty && (
          <Text size="sm" c="dimmed">
            {countSources(list)}
          </Text>
        )}
        <Box ml="auto">
          <IconButton label="Close" icon={IconX} onClick={onClose} />
        </Box>
      </Group>
      <ScrollArea flex={1} mih={0} type="auto" viewportProps={{ tabIndex: 0 }}>
        <Box p="18px 20px 32px">
          {isEmpty ? (
            <Text size="sm" c="dimmed">
              {pending
                ? 'What the answer rests on will stand here.'
                : 'This answer rests on none of your files.'}
            </Text>
          ) : (
            <SourceList viewed={viewed} onOpen={onNavigate} />
          )}
        </Box>
      </ScrollArea>
    </>
  );
}
