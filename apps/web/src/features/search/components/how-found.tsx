import { Box, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Disclosure } from '../../../components/disclosure.tsx';
import { plural } from '../../../format/format.ts';
import type { Explanation } from '../answer.ts';

export type Passage = Explanation['passages'][number];

interface HowFoundProps {
  explanation: Explanation;
  renderPassage: (passage: Passage, terms: readonly string[]) => ReactNode;
}

const NAMES: Readonly<Record<string, string>> = {
  index: 'Words',
  coverage: 'Coverage',
  window: 'Words close together',
  context: 'Name and headings',
  meaning: 'Meaning',
  own: 'Your own document',
  opening: 'Beginning of the file',
  uploads: 'Waiting for uploads',
  question: 'Reading the question',
  rewriting: 'Rewriting the question',
  embed: 'Embedding the question',
  vectors: 'Searching by meaning',
  files: 'Checking the files',
  rank: 'Ranking passages',
  documents: 'Reading the files',
  sections: 'Building sections',
  sources: 'Locating quotes',
  model: 'Writing the answer',
  recommendations: 'Further questions',
  history: 'Storing it',
  audio: 'Speaking the answer',
};

const STAGE_NAMES: Readonly<Record<string, string>> = {
  ...NAMES,
  index: 'Searching the index',
  context: 'Collecting evidence',
};

/** Formats other names, such as 'answerType' as 'Answer type'. */
const toLabel = (name: string): string => {
  const words = name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|[-_]/gu, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const formatMs = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

const Bar = ({ share }: { share: number }) => (
  <Progress
    flex="1 1 24px"
    size={4}
    value={100 * Math.max(0, Math.min(1, share))}
    aria-hidden="true"
  />
);

const Heading = ({ children }: { children: string }) => (
  <Text component="h3" size="sm" mb={10} c="dimmed" fw={600}>
    {children}
  </Text>
);

function Scores({ passage, all }: { passage: Passage; all: readonly Passage[] }) {
  const scores = Object.entries(passage.scores).flatMap(([name, score]) => {
    const maximum = Math.max(...all.map(({ scores }) => scores[name] ?? 0));
    return maximum > 0 ? [{ name: NAMES[name] ?? toLabel(name), share: score / maximum }] : [];
  });
  return (
    <SimpleGrid
      component="ul"
      minColWidth={132}
      spacing={22}
      verticalSpacing={4}
      mt={10}
      fz="xs"
      c="dimmed"
      aria-label="Scores"
    >
      {scores.map(({ name, share }) => (
        <Group component="li" key={name} gap={8} wrap="nowrap">
          <span>{name}</span>
          <Bar share={share} />
          <span className="eg-visually-hidden">{Math.round(share * 100)} percent of the best</span>
        </Group>
      ))}
    </SimpleGrid>
  );
}

function Passages({ explanation, renderPassage }: HowFoundProps) {
  const { passages, terms } = explanation;
  if (passages.length === 0) return null;
  return (
    <section>
      <Heading>Best passages</Heading>
      <Paper component="ol" withBorder radius={12}>
        {passages.map((passage, index) => (
          <Box
            component="li"
            key={`${passage.artifactId} ${passage.start}`}
            px={16}
            py={14}
            style={index > 0 ? { borderTop: '1px solid var(--eg-line)' } : {}}
          >
            {renderPassage(passage, terms)}
            <Scores passage={passage} all={passages} />
          </Box>
        ))}
      </Paper>
    </section>
  );
}

function Stages({ stages }: { stages: Explanation['stages'] }) {
  const longest = Math.max(...stages.map(({ ms }) => ms), 1);
  return (
    <section>
      <Heading>Where the time went</Heading>
      <Box component="ul" c="dimmed" fz="sm" lh="26px">
        {stages.map(({ name, ms }) => (
          <Group component="li" key={name} gap={12} wrap="nowrap">
            <Box component="span" flex="1 1 60%">
              {STAGE_NAMES[name] ?? toLabel(name)}
            </Box>
            <Box component="span" flex="1 1 40%">
              <Bar share={ms / longest} />
            </Box>
            <Text span inherit w={56} flex="none" ta="right">
              {formatMs(ms)}
            </Text>
          </Group>
        ))}
      </Box>
    </section>
  );
}

export default function HowFound(props: HowFoundProps) {
  const { passages, terms, stages } = props.explanation;
  const total = stages.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <Disclosure
      label="How was this found?"
      note={`${plural(passages.length, 'passage')} · ${formatMs(total)}`}
    >
      <Stack pt={6} pb={8} gap={24}>
        {terms.length > 0 && (
          <section>
            <Heading>Words searched for</Heading>
            <Group component="ul" gap={6} align="stretch">
              {[...new Set(terms)].map((term) => (
                <Box component="li" key={term} px={8} bdrs={6} bg="var(--eg-mark)" fz="sm">
                  {term}
                </Box>
              ))}
            </Group>
          </section>
        )}
        <Passages {...props} />
        <Stages stages={stages} />
      </Stack>
    </Disclosure>
  );
}
