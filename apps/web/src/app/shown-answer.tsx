import { IconHistoryOff } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorState } from '../components/empty-state.tsx';
import { lazyDialog, lazyPart } from '../components/lazy-part.tsx';
import type { AnswerActionsProps } from '../features/search/components/answer-actions.tsx';
import { AnswerPanel } from '../features/search/components/answer-panel.tsx';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';

const ShareDialog = lazyDialog(() => import('../features/shares/components/share-dialog.tsx'));

const ModelOffer = lazyPart(() => import('./model-offer.tsx'));

interface ShownAnswerProps extends AnswerActionsProps {
  onAsk: (question: string) => void;
  offersModel?: boolean;
  /** Asks the question again without its limits. */
  onSearchAll?: () => void;
}

export default function ShownAnswer({ offersModel, ...props }: ShownAnswerProps) {
  const { id, question } = props.answer;
  const [sharing, setSharing] = useState(false);
  return (
    <>
      <AnswerPanel
        {...props}
        {...(id === null ? {} : { onShare: () => setSharing(true) })}
        modelOffer={offersModel && <ModelOffer />}
        renderPassage={({ artifactId, start, end }, terms) => (
          <PassageCard {...{ artifactId, start, end, terms }} />
        )}
      />
      {id !== null && (
        <ShareDialog
          key={id}
          historyId={id}
          question={question}
          opened={sharing}
          onClose={() => setSharing(false)}
        />
      )}
    </>
  );
}

export const MissingAnswer = (failure: { error: unknown; onRetry: () => unknown }) => (
  <ErrorState
    {...failure}
    title="The answer could not be loaded"
    missing={{
      icon: <IconHistoryOff size={24} stroke={1.6} />,
      title: 'This question is not in your history',
      text: 'The link may be outdated, or for another user. Ask again to get an answer.',
    }}
  />
);
