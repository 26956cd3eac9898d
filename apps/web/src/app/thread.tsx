import { scrollBehavior } from '../browser/motion.ts';
import { Stack } from '@mantine/core';
import { memo, useEffect, useRef, type ReactNode } from 'react';
import { useUpdateHistory } from '../features/history/api.ts';
import { statusOf } from '../features/search/answer.ts';
import { AnswerSkeleton, LazyMissingAnswer, LazyShownAnswer } from './lazy-shown-answer.tsx';
import classes from './search-page.module.css';
import type { SearchScreen, Turn } from './use-search-screen.ts';

export function Thread({ screen }: { screen: SearchScreen }): ReactNode {
  const { shown, entryId } = screen;
  // A ref, so that turns do not render again while the user types.
  const latest = useRef(screen);
  useEffect(() => {
    latest.current = screen;
  });
  if (shown.status === 'loading') return <AnswerSkeleton />;
  if (shown.status === 'missing')
    return <LazyMissingAnswer error={shown.error} onRetry={shown.retry} />;
  if (shown.status !== 'thread') return null;
  const { turns } = shown;
  const last = turns.at(-1);
  // A conversation opens at the question in the address, or at its end.
  const linked = turns.findIndex(({ answer }) => answer.id === entryId);
  const initial = linked > 0 ? linked : turns.length - 1;
  return (
    <Stack gap={40}>
      {turns.map(({ answer, pending, fresh }, index) => (
        <ShownTurn
          key={answer.key}
          answer={answer}
          pending={pending}
          fresh={fresh}
          isLast={index === turns.length - 1}
          scrollsIntoView={fresh ? index === turns.length - 1 : index > 0 && index === initial}
          screen={latest}
        />
      ))}
      <output className="eg-visually-hidden">
        {last?.fresh && statusOf(last.answer, last.pending)}
      </output>
    </Stack>
  );
}

interface ShownTurnProps extends Turn {
  isLast: boolean;
  scrollsIntoView: boolean;
  screen: { readonly current: SearchScreen };
}

const ShownTurn = memo(function ShownTurn(props: ShownTurnProps) {
  const { answer, pending, fresh, isLast, scrollsIntoView, screen } = props;
  const { mutate: update } = useUpdateHistory();
  const turn = useRef<HTMLDivElement>(null);
  const hasScrolled = useRef(false);
  useEffect(() => {
    if (!scrollsIntoView || hasScrolled.current) return;
    hasScrolled.current = true;
    turn.current?.scrollIntoView({
      block: 'start',
      behavior: fresh ? scrollBehavior() : 'instant',
    });
  }, [scrollsIntoView, fresh]);
  const { id } = answer;
  return (
    <div
      ref={turn}
      className={classes.turn}
      data-fresh={(fresh && isLast) || undefined}
      data-earlier={!isLast || undefined}
    >
      <LazyShownAnswer
        answer={answer}
        pending={pending}
        onAsk={(text) => screen.current.ask(text)}
        onAgain={() => screen.current.askAgain(answer)}
        offersModel={isLast}
        {...(id === null
          ? {}
          : { onSave: (isBookmark: boolean) => update({ body: { historyId: id, isBookmark } }) })}
        {...(isLast && { onSearchAll: () => screen.current.searchAll(answer) })}
      />
    </div>
  );
});
