import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useEvidence } from '../artifacts/evidence.ts';
import { viewedFile } from '../artifacts/whole-file.ts';
import type { Answer } from '../features/search/answer.ts';
import type { AnswerChanges } from '../features/search/components/answer-actions.tsx';
import { AnswerPanel } from '../features/search/components/answer-panel.tsx';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { QuoteExcerpt } from '../features/viewer/components/quote-excerpt.tsx';

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

/** An answer, whose sources and files open in the evidence pane. */
export default function ShownAnswer(props: ShownAnswerProps) {
  const { id, citations, nearest, question } = props.answer;
  const evidence = useEvidence();
  // Null until the dialog is first opened; it stays where it is while it closes.
  const [sharing, setSharing] = useState<{ opened: boolean } | null>(null);
  return (
    <>
      <AnswerPanel
        {...props}
        {...(id === null ? {} : { onShare: () => setSharing({ opened: true }) })}
        onOpenSource={(n) => evidence.open({ n, list: citations, noun: 'source' })}
        onOpenNearest={(n) => evidence.open({ n, list: nearest, noun: 'passage' })}
        onOpenFile={(file) => evidence.open(viewedFile(file))}
        viewing={evidence.shown !== null}
        renderExcerpt={(citation, size) => <QuoteExcerpt citation={citation} size={size} />}
        renderPassage={({ artifactId, start, end }, terms) => (
          <PassageCard {...{ artifactId, start, end, terms }} />
        )}
      />
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
