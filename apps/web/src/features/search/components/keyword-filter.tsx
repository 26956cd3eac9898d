import { memo, useState } from 'react';
import { ChipGroup, ChipItem } from './chips.tsx';

/** Keywords that stand there at once; more would push everything else out of sight. */
const SHOWN = 24;

interface KeywordFilterProps {
  /** The active keywords. */
  keywords: readonly string[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  centered?: boolean;
}

/** Narrows the search to files with one of the selected keywords; none selected means all files. */
export const KeywordFilter = memo(function KeywordFilter(props: KeywordFilterProps) {
  const { keywords, selected, onChange, centered } = props;
  const [all, setAll] = useState(false);
  if (keywords.length === 0) return null;
  const shown = all
    ? keywords
    : keywords.filter((keyword, index) => index < SHOWN || selected.includes(keyword));
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
      {keywords.length > SHOWN && (
        <ChipItem accent onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${keywords.length}`}
        </ChipItem>
      )}
    </ChipGroup>
  );
});
