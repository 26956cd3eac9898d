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
        <div
          id={listId}
          // A list of the browser's own cannot stand under a text area.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="listbox"
          aria-label="Suggestions"
          className={classes.list}
          data-above={above || undefined}
        >
          {matches.map((match, index) => {
            const { suggestion, start, end } = match;
            return (
              // The keys are the input's, which has the focus.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={suggestion}
                id={optionId(index)}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                role="option"
                aria-selected={index === active}
                className={classes.option}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(match)}
              >
                {suggestion.slice(0, start)}
                <mark>{suggestion.slice(start, end)}</mark>
                {suggestion.slice(end)}
              </div>
            );
          })}
        </div>
      )}
    </>
  );
}
