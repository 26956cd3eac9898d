import { KEYWORD_ERRORS, KEYWORD_LIMIT, KEYWORD_PATTERN } from '@engram/contract/browser';
import type { KeyboardEvent } from 'react';

interface KeywordsState {
  chosen: string[];
  typed: string;
}

/** The chosen keywords, and the one that is being typed if it is valid. */
export const keywordsOf = ({ chosen, typed }: KeywordsState): string[] =>
  KEYWORD_PATTERN.test(typed.trim()) ? [...new Set([...chosen, typed.trim()])] : chosen;

/** Chosen keywords, and a field with suggestions. Enter, a comma or a space adds what was typed. */
export function Keywords({
  state,
  onChange,
  known,
}: {
  state: KeywordsState;
  onChange: (state: KeywordsState) => void;
  known: readonly string[];
}) {
  const { chosen, typed } = state;
  const isInvalid = typed.trim() !== '' && !KEYWORD_PATTERN.test(typed.trim());
  const add = (event: KeyboardEvent): void => {
    if (!['Enter', ',', ' '].includes(event.key) || typed.trim() === '') return;
    event.preventDefault();
    if (!isInvalid) onChange({ chosen: keywordsOf(state), typed: '' });
  };
  return (
    <div>
      <label htmlFor="keyword">Keywords</label>
      {chosen.length > 0 && (
        <ul className="chips" aria-label="Chosen keywords">
          {chosen.map((keyword) => (
            <li key={keyword}>
              <button
                type="button"
                aria-label={`Remove ${keyword}`}
                onClick={() =>
                  onChange({ typed, chosen: chosen.filter((other) => other !== keyword) })
                }
              >
                {keyword} ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id="keyword"
        list="known-keywords"
        autoComplete="off"
        maxLength={KEYWORD_LIMIT}
        placeholder="Add a keyword"
        value={typed}
        aria-invalid={isInvalid}
        aria-describedby="keyword-problem"
        onKeyDown={add}
        onChange={(event) => onChange({ chosen, typed: event.currentTarget.value })}
      />
      <datalist id="known-keywords">
        {known
          .filter((keyword) => !chosen.includes(keyword))
          .map((keyword) => (
            <option key={keyword}>{keyword}</option>
          ))}
      </datalist>
      <p id="keyword-problem" role="alert" className="error">
        {isInvalid && KEYWORD_ERRORS.malformed}
      </p>
    </div>
  );
}
