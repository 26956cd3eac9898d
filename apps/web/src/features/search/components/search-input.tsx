import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { QUESTION_LIMIT, suggestions as suggestionsRoute } from '@engram/contract/browser';
import { IconAlertTriangle, IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { useMetrics } from '../../../session/account.ts';
import { paths } from '../../../app/paths.ts';
import { Notice, ExpiredNote } from '../../../components/notice.tsx';
import { isComposing } from '../../../browser/is-composing.ts';
import { useCompletion, SuggestionList } from './suggestion-list.tsx';
import { DictationButton, DictationStatus, useDictation } from './dictation-controls.tsx';
import classes from './search-input.module.css';

interface SearchInputProps {
  value: string;
  onChange: (value: string) => void;
  onSubmit: (text: string) => void;
  inConversation: boolean;
  /** The last question, restored by the arrow-up key. */
  lastQuestion: string | null;
  /** When the question being answered was asked, in milliseconds since the epoch. */
  askedAt: number | null;
  onStop: () => void;
}

/** Grows a text area with its text in browsers without `field-sizing`. */
function fitHeight(area: HTMLTextAreaElement): void {
  if (globalThis.CSS?.supports('field-sizing', 'content')) return;
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}

const PLACEHOLDER = 'Ask your AI Brain anything…';

/** The input of a question. Enter asks, Shift+Enter starts a new line. */
export function SearchInput(props: SearchInputProps) {
  const { value, onChange, onSubmit, inConversation, lastQuestion } = props;
  const expired = useMetrics().data?.status === 'Expired';
  const { data: suggestions = [] } = useCall(suggestionsRoute, {}, { enabled: value !== '' });
  const asking = props.askedAt !== null;
  const input = useRef<HTMLTextAreaElement>(null);
  const text = value.trim();
  const blocked = text === '' || expired;
  const completion = useCompletion(suggestions, value, (completed) => {
    onChange(completed);
    input.current?.focus();
  });
  const dictation = useDictation(props);
  const { cancel: cancelDictation } = dictation;
  useEffect(() => {
    if (props.askedAt !== null) cancelDictation();
  }, [props.askedAt, cancelDictation]);
  const speaking = dictation.state.status !== 'idle';
  const isCompact = inConversation && value === '' && !speaking;
  const submit = (): void => {
    completion.close();
    dictation.cancel();
    if (!blocked) onSubmit(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (completion.onKeyDown(event)) return;
    if (event.key === 'ArrowUp' && value === '' && lastQuestion !== null) {
      event.preventDefault();
      return onChange(lastQuestion);
    }
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    submit();
  };
  useLayoutEffect(() => {
    if (input.current) fitHeight(input.current);
  });
  useEffect(() => {
    // On touch screens the focus would open the keyboard.
    if (!window.matchMedia('(pointer: fine)').matches) return;
    if (!inConversation || document.activeElement === document.body)
      input.current?.focus({ preventScroll: true });
  }, [inConversation]);
  const active = completion.matches[completion.active];

  return (
    <Box
      component="form"
      w="100%"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={`eg-ask ${classes.card}`} data-compact={isCompact || undefined}>
        <textarea
          ref={input}
          className={classes.input}
          rows={1}
          maxLength={QUESTION_LIMIT}
          placeholder={inConversation ? 'Ask a follow-up…' : PLACEHOLDER}
          aria-label="Ask your AI Brain anything"
          aria-describedby="question-length"
          data-search-input
          value={value}
          aria-autocomplete="list"
          aria-controls={active ? completion.listId : undefined}
          aria-activedescendant={active ? completion.optionId(completion.active) : undefined}
          onChange={(event) => {
            dictation.cancel();
            completion.typed(event.currentTarget.value);
            onChange(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={completion.close}
        />
        <Group className={classes.foot ?? ''} gap={12} wrap="nowrap" miw={0}>
          <DictationButton dictation={dictation} disabled={expired} />
          <DictationStatus state={dictation.state} />
          <Text
            span
            id="question-length"
            {...(isCompact ? { visibleFrom: 'md' } : {})}
            size="sm"
            c={value.length >= QUESTION_LIMIT ? 'red' : 'dimmed'}
            hidden={speaking}
          >
            {value.length} / {QUESTION_LIMIT}
          </Text>
          <Group ml="auto" gap={12} wrap="nowrap">
            {asking && (
              <ActionIcon
                variant="default"
                size={34}
                aria-label="Stop"
                title="Stop"
                onClick={props.onStop}
              >
                <IconPlayerStopFilled size={15} />
              </ActionIcon>
            )}
            <ActionIcon type="submit" size={34} disabled={blocked} aria-label="Search">
              <IconArrowUp size={18} stroke={2.2} />
            </ActionIcon>
          </Group>
        </Group>
        <SuggestionList completion={completion} above={inConversation} />
      </div>
      {dictation.problem !== null && (
        <Notice mt={10} tone="danger" icon={IconAlertTriangle} live="alert">
          {dictation.problem}
        </Notice>
      )}
      {expired && (
        <Box mt={12}>
          <ExpiredNote plans={paths.pricing} />
        </Box>
      )}
    </Box>
  );
}
