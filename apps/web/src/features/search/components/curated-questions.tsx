import { Skeleton } from '@mantine/core';
import { useRecommendedQuestions } from '../api.ts';
import { ChipGroup, ChipItem } from './chips.tsx';

const HEADING = 'Questions curated from your data...';
/** As many as can be taken in at a glance. */
const SHOWN = 6;

interface CuratedQuestionsProps {
  onAsk: (question: string) => void;
}

/** Questions that the person's files can answer; a click asks. Without any there is nothing to show. */
export function CuratedQuestions({ onAsk }: CuratedQuestionsProps) {
  const { data, isPending } = useRecommendedQuestions();
  if (isPending) {
    return (
      <ChipGroup heading={HEADING} centered>
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
    <ChipGroup heading={HEADING} centered>
      {data.slice(0, SHOWN).map((question) => (
        <ChipItem key={question} onClick={() => onAsk(question)}>
          {question}
        </ChipItem>
      ))}
    </ChipGroup>
  );
}
