import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';
import type { Answer } from '../features/search/answer.ts';
import type { AnswerChanges } from '../features/search/components/answer-actions.tsx';
import { AnswerPanel } from '../features/search/components/answer-panel.tsx';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { QuoteExcerpt } from '../features/viewer/components/quote-excerpt.tsx';

const SourceViewer = lazy(() => import('../features/viewer/components/source-viewer.tsx'));

interface ShownAnswerProps extends AnswerChanges {
  answer: Answer;
  pending: boolean;
  onAsk: (question: string) => void;
  /** Given where the next question can follow up on this one. */
  onFollowUp?: () => void;
  /** What the question follows up on. */
  followsOn?: ReactNode;
  suggestions?: ReactNode;
}

/** An answer, and the viewer that opens on its sources. */
export default function ShownAnswer(props: ShownAnswerProps) {
  const [source, setSource] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<Element | null>(null);
  const { citations } = props.answer;
  return (
    <>
      <AnswerPanel
        {...props}
        onOpenSource={(n) => {
          if (source === null) opener.current = document.activeElement;
          setWasOpened(true);
          setSource(n);
        }}
        renderExcerpt={(citation, size) => <QuoteExcerpt citation={citation} size={size} />}
        renderPassage={({ artifactId, start, end }, terms) => (
          <PassageCard {...{ artifactId, start, end, terms }} />
        )}
      />
      {wasOpened && (
        <Suspense>
          <SourceViewer
            citations={citations}
            n={source}
            onNavigate={setSource}
            onClose={() => setSource(null)}
            onClosed={() => {
              // Reading goes on where it was left.
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
