import { Chip, ChipGroup } from './chips.tsx';

interface KeywordFilterProps {
  /** The active keywords. */
  keywords: readonly string[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  centered?: boolean;
}

/** Narrows the search to files with one of the selected keywords; none selected means all files. */
export function KeywordFilter({ keywords, selected, onChange, centered }: KeywordFilterProps) {
  if (keywords.length === 0) return null;
  return (
    <ChipGroup
      heading="Use only the selected keywords below when searching"
      centered={centered ?? false}
    >
      {keywords.map((keyword) => {
        const pressed = selected.includes(keyword);
        return (
          <Chip
            key={keyword}
            pressed={pressed}
            onClick={() =>
              onChange(
                pressed ? selected.filter((other) => other !== keyword) : [...selected, keyword],
              )
            }
          >
            {keyword}
          </Chip>
        );
      })}
    </ChipGroup>
  );
}
