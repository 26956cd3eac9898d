import { Box, Group, Text, Skeleton } from '@mantine/core';
import { type ReactNode, memo, useState } from 'react';
import { Chip } from '../../../components/buttons.tsx';
import type { Artifact, ChosenFile } from '@engram/contract';
import { IconFile } from '@tabler/icons-react';
import { shortenMiddle } from '../../../format/format.ts';
import { useRecommendedQuestions } from '../api.ts';

interface ChipGroupProps {
  heading: string;
  children: ReactNode;
  centered?: boolean;
}

export const ChipGroup = ({ heading, centered = false, children }: ChipGroupProps) => (
  <Box component="section" miw={0} data-screen-only aria-label={heading}>
    <Text component="h2" ta={centered ? 'center' : 'start'} mb={10} size="sm" fw={600} c="dimmed">
      {heading}
    </Text>
    <Group component="ul" justify={centered ? 'center' : 'flex-start'} gap={8}>
      {children}
    </Group>
  </Box>
);

interface ChipItemProps {
  children: ReactNode;
  onClick: () => void;
  pressed?: boolean;
  accent?: boolean;
  icon?: ReactNode;
  title?: string;
}

export const ChipItem = ({ children, onClick, pressed, accent, icon, title }: ChipItemProps) => (
  <Box component="li" maw="100%">
    <Chip data-accent={accent || undefined} aria-pressed={pressed} title={title} onClick={onClick}>
      {icon}
      {children}
    </Chip>
  </Box>
);

const SHOWN_KEYWORDS = 24;

interface KeywordFilterProps {
  keywords: readonly string[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  centered?: boolean;
}

/** Narrows the search to files with one of the selected keywords; none selected means all files. */
export const KeywordFilter = memo(function KeywordFilter(props: KeywordFilterProps) {
  const { keywords, selected, onChange, centered } = props;
  const [isExpanded, setIsExpanded] = useState(false);
  if (keywords.length === 0) return null;
  const shown = isExpanded
    ? keywords
    : keywords.filter((keyword, index) => index < SHOWN_KEYWORDS || selected.includes(keyword));
  return (
    <ChipGroup
      heading="Use only the selected keywords below when searching"
      centered={centered ?? false}
    >
      {shown.map((keyword) => {
        const pressed = selected.includes(keyword);
        return (
          <ChipItem
            key={keyword}
            pressed={pressed}
            onClick={() =>
              onChange(
                pressed ? selected.filter((other) => other !== keyword) : [...selected, keyword],
              )
            }
          >
            {keyword}
          </ChipItem>
        );
      })}
      {keywords.length > SHOWN_KEYWORDS && (
        <ChipItem accent onClick={() => setIsExpanded(!isExpanded)}>
          {isExpanded ? 'Show fewer' : `Show all ${keywords.length}`}
        </ChipItem>
      )}
    </ChipGroup>
  );
});

interface RecentFilesProps {
  files: readonly Artifact[];
  selected: readonly ChosenFile[];
  onChange: (selected: ChosenFile[]) => void;
}

export const RecentFiles = ({ files, selected, onChange }: RecentFilesProps) => (
  <ChipGroup heading="Ask about a recent file" centered>
    {files.map(({ artifactId, artifactFileName: fileName }) => {
      const pressed = selected.some((file) => file.artifactId === artifactId);
      return (
        <ChipItem
          key={artifactId}
          pressed={pressed}
          icon={<IconFile size={15} stroke={1.8} aria-hidden="true" />}
          title={`Ask about this file: ${fileName}`}
          onClick={() => onChange(pressed ? [] : [{ artifactId, fileName }])}
        >
          {shortenMiddle(fileName)}
        </ChipItem>
      );
    })}
  </ChipGroup>
);

const QUESTIONS_HEADING = 'Questions curated from your data...';
const SHOWN_QUESTIONS = 6;

export function CuratedQuestions({ onAsk }: { onAsk: (question: string) => void }) {
  const { data, isPending } = useRecommendedQuestions();
  if (isPending) {
    return (
      <ChipGroup heading={QUESTIONS_HEADING} centered>
        {[190, 240, 160].map((width) => (
          <li key={width}>
            <Skeleton width={width} height={32} radius={16} />
          </li>
        ))}
      </ChipGroup>
    );
  }
  if (!data?.length) return null;
  return (
    <ChipGroup heading={QUESTIONS_HEADING} centered>
      {data.slice(0, SHOWN_QUESTIONS).map((question) => (
        <ChipItem key={question} onClick={() => onAsk(question)}>
          {question}
        </ChipItem>
      ))}
    </ChipGroup>
  );
}
