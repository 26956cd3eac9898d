import { QUESTION_LIMIT } from '@engram/contract/browser';
import { IconArrowUp } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { EXPIRED_MESSAGE } from '../../../lib/account.ts';
import classes from './search-input.module.css';

interface SearchInputProps {
  value: string;
  onChange: (value: string) => void;
  /** Called with the trimmed text, which is never empty. */
  onSubmit: (text: string) => void;
  /** Whether the plan has ended: nothing can be asked until it is renewed. */
  expired: boolean;
  /** Whether to take little room on a small screen, where an answer is being read. */
  compact: boolean;
}

/** Lets a text area grow with its text where the browser does not do so by itself. */
function fitHeight(area: HTMLTextAreaElement): void {
  if (globalThis.CSS?.supports('field-sizing', 'content')) return;
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}

/** The question: grows with its text, Enter asks, Shift+Enter begins a new line. */
export function SearchInput({ value, onChange, onSubmit, expired, compact }: SearchInputProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const text = value.trim();
  const blocked = text === '' || expired;
  const submit = (): void => {
    if (!blocked) onSubmit(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also ends the composing of a character, which must not send half a question.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  useLayoutEffect(() => {
    if (input.current) fitHeight(input.current);
  });
  useEffect(() => {
    // On a touch screen the focus would cover half of the page with a keyboard.
    if (window.matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
  }, []);

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={classes.card} data-compact={(compact && value === '') || undefined}>
        <textarea
          ref={input}
          className={classes.input}
          rows={1}
          maxLength={QUESTION_LIMIT}
          placeholder="Ask your AI Brain anything…"
          aria-label="Ask your AI Brain anything"
          aria-describedby="question-length"
          data-search-input
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div className={classes.foot}>
          <span
            id="question-length"
            className={classes.count}
            data-full={value.length >= QUESTION_LIMIT || undefined}
          >
            {value.length} / {QUESTION_LIMIT}
          </span>
          <button type="submit" className={classes.submit} disabled={blocked} aria-label="Search">
            <IconArrowUp size={18} stroke={2.2} />
          </button>
        </div>
      </div>
      {expired && (
        <p className={classes.expired} role="alert">
          {EXPIRED_MESSAGE}
        </p>
      )}
    </form>
  );
}
