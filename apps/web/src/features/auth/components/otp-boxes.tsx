import { Group } from '@mantine/core';
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import classes from './auth.module.css';

const LENGTH = 6;
const boxes = Array.from({ length: LENGTH }, (_, index) => index);

export const emptyCode: readonly string[] = boxes.map(() => '');

interface OtpBoxesProps {
  /** Six strings, each empty or one digit. */
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  /** Called with all six digits as soon as the last box is filled. */
  onComplete: (code: string) => void;
  disabled: boolean;
  invalid: boolean;
}

/** Six boxes of one digit each that behave like one field. */
export function OtpBoxes({ value, onChange, onComplete, disabled, invalid }: OtpBoxesProps) {
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (index: number): void => inputs.current[index]?.focus();

  useEffect(() => {
    if (!disabled && value === emptyCode) inputs.current[0]?.focus();
  }, [disabled, value, inputs]);

  const update = (next: readonly string[]): void => {
    onChange(next);
    const code = next.join('');
    if (code.length === LENGTH) onComplete(code);
  };

  const fill = (code: string): void => {
    update([...code]);
    focus(LENGTH - 1);
  };

  const type = (index: number, text: string): void => {
    const digits = text.replaceAll(/\D/gu, '');
    // A phone's one-time-code suggestion arrives as six digits in one box.
    if (digits.length === LENGTH) return fill(digits);
    const digit = digits.at(-1) ?? '';
    if (text !== '' && digit === '') return;
    update(value.map((old, at) => (at === index ? digit : old)));
    if (digit) focus(index + 1);
  };

  const press = (index: number, event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && !value[index]) focus(index - 1);
    else if (event.key === 'ArrowLeft') focus(index - 1);
    else if (event.key === 'ArrowRight') focus(index + 1);
    else return;
    event.preventDefault();
  };

  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    const text = event.clipboardData.getData('text').trim();
    if (/^\d{6}$/u.test(text)) fill(text);
    else window.alert('Please paste a valid 6-digit OTP.');
  };

  return (
    <Group
      component="fieldset"
      wrap="nowrap"
      gap="clamp(6px, 2vw, 10px)"
      aria-label="6 digit code"
      onPaste={paste}
    >
      {boxes.map((index) => (
        <input
          key={index}
          ref={(input) => {
            inputs.current[index] = input;
          }}
          className={classes.box}
          type="text"
          inputMode="numeric"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          aria-label={`Digit ${index + 1} of ${LENGTH}`}
          aria-invalid={invalid}
          value={value[index]}
          readOnly={disabled}
          data-autofocus={index === 0 || undefined}
          onChange={(event) => type(index, event.target.value)}
          onKeyDown={(event) => press(index, event)}
          onFocus={(event) => event.target.select()}
        />
      ))}
    </Group>
  );
}
