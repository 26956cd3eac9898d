import { Paper, Text } from '@mantine/core';
import { Entry } from '../../../components/entry.tsx';
import { plural } from '../../../format/format.ts';
import type { Completion } from '../use-completion.ts';
import classes from './suggestion-list.module.css';

interface SuggestionListProps {
  completion: Completion;
  /** Whether the input stands at the lower edge of a small screen. */
  above: boolean;
}

/** What the typed question may be completed to. */
export function SuggestionList({ completion, above }: SuggestionListProps) {
  const { matches, active, listId, optionId, choose } = completion;
  return (
    <>
      <output className="eg-visually-hidden">
        {matches.length > 0 && `${plural(matches.length, 'suggestion')}, arrow keys to choose.`}
      </output>
      {matches.length > 0 && (
        <Paper
          id={listId}
          // A list of the browser's own cannot stand under a text area.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="listbox"
          aria-label="Suggestions"
          className={classes.list ?? ''}
          pos="absolute"
          mah="min(340px, 50dvh)"
          p={6}
          bg="var(--eg-raised)"
          withBorder
          shadow="md"
          data-above={above || undefined}
        >
          {matches.map((match, index) => {
            const { suggestion, start, end } = match;
            return (
              // The keys are the input's, which has the focus.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <Entry
                component="div"
                key={suggestion}
                id={optionId(index)}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                role="option"
                aria-selected={index === active}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(match)}
              >
                <Text span inherit lineClamp={2} dir="auto">
                  {suggestion.slice(0, start)}
                  <Text component="mark" inherit bg="none" fw={600} c="indigo">
                    {suggestion.slice(start, end)}
                  </Text>
                  {suggestion.slice(end)}
                </Text>
              </Entry>
            );
          })}
        </Paper>
      )}
    </>
  );
}
