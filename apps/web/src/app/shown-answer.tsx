import type { Citation } from '@engram/contract';
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';
import type { Answer } from '../features/search/answer.ts';
import type { AnswerChanges } from '../features/search/components/answer-actions.tsx';
import { AnswerPanel } from '../features/search/components/answer-panel.tsx';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { QuoteExcerpt } from '../features/viewer/components/quote-excerpt.tsx';
import { NO_SOURCE, wholeFile } from '../features/viewer/whole-file.ts';

const SourceViewer = lazy(() => import('../features/viewer/components/source-viewer.tsx'));

const ShareDialog = lazy(async () => ({
  default: (await import('../features/shares/components/share-dialog.tsx')).ShareDialog,
}));

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

/** What the viewer shows. */
interface Viewed {
  /** The number of what is shown of the list; null while the viewer is closed, or slides away. */
  n: number | null;
  /** The sources, the nearest passages, or a file by itself. */
  list: readonly Citation[];
  /** What one of the list is called. */
  noun: 'source' | 'passage';
}

/** What stands in the viewer, and where the focus was before it opened. */
function useViewer() {
  const [shown, setShown] = useState<Viewed | null>(null);
  const opener = useRef<Element | null>(null);
  return {
    shown,
    open: (viewed: Viewed): void => {
      if (shown === null || shown.n === null) opener.current = document.activeElement;
      setShown(viewed);
    },
    goTo: (n: number | null): void => setShown((viewed) => viewed && { ...viewed, n }),
    returnFocus: (): void => {
      // Reading goes on where it was left.
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}

/** An answer, and the viewer that opens on its sources and files. */
export default function ShownAnswer(props: ShownAnswerProps) {
  const { id, citations, nearest, question } = props.answer;
  const viewer = useViewer();
  // Null until the dialog is first opened; it stays where it is while it closes.
  const [sharing, setSharing] = useState<{ opened: boolean } | null>(null);
  return (
    <>
      <AnswerPanel
        {...props}
        {...(id === null ? {} : { onShare: () => setSharing({ opened: true }) })}
        onOpenSource={(n) => viewer.open({ n, list: citations, noun: 'source' })}
        onOpenNearest={(n) => viewer.open({ n, list: nearest, noun: 'passage' })}
        onOpenFile={(file) =>
          viewer.open({ n: NO_SOURCE, list: [wholeFile(file)], noun: 'source' })
        }
        viewing={viewer.shown !== null && viewer.shown.n !== null}
        renderExcerpt={(citation, size) => <QuoteExcerpt citation={citation} size={size} />}
        renderPassage={({ artifactId, start, end }, terms) => (
          <PassageCard {...{ artifactId, start, end, terms }} />
        )}
      />
      {viewer.shown && (
        <Suspense>
          <SourceViewer
            citations={viewer.shown.list}
            n={viewer.shown.n}
            noun={viewer.shown.noun}
            onNavigate={viewer.goTo}
            onClose={() => viewer.goTo(null)}
            onClosed={viewer.returnFocus}
          />
        </Suspense>
      )}
      {id !== null && sharing && (
        <Suspense>
          <ShareDialog
            key={id}
            historyId={id}
            question={question}
            opened={sharing.opened}
            onClose={() => setSharing({ opened: false })}
          />
        </Suspense>
      )}
    </>
  );
}
