import { ApiError } from '@engram/client';
import { IconHistoryOff } from '@tabler/icons-react';
import { EmptyState, ErrorState } from '../components/empty-state.tsx';
import { lazyDialog, lazyPart } from '../components/lazy-part.tsx';
import { useMemo, useState, type ReactNode } from 'react';
import { useEvidence, useOffer, type Offer, viewedFile } from '../artifacts/evidence.ts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Answer } from '../features/search/answer.ts';
import type { AnswerChanges } from '../features/search/components/answer-actions.tsx';
import { AnswerPanel } from '../features/search/components/answer-panel.tsx';
import { FoundSections } from '../features/search/components/found-sections.tsx';
import { copiedAnswer } from '../features/search/components/answer-actions.tsx';
import {
  isFound,
  placesOf,
  type FoundPlace,
  type FoundPlaces,
} from '../features/search/found-places.ts';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { paths } from './paths.ts';

/** Stores an answer with its sources as a note. */
async function keepAnswer(answer: Answer, queries: QueryClient): Promise<void> {
  const { keepNote } = await import('../artifacts/keep-note.ts');
  const text = `${answer.question}\n\n${copiedAnswer(answer)}`;
  await keepNote(text, { what: 'answer', files: paths.files, queries });
}

const ShareDialog = lazyDialog(
  async () => (await import('../features/shares/components/share-dialog.tsx')).ShareDialog,
);

const ModelOffer = lazyPart(async () => (await import('./model-offer.tsx')).default);

interface ShownAnswerProps extends AnswerChanges {
  answer: Answer;
  pending: boolean;
  onAsk: (question: string) => void;
  /** Given if the question can be asked again. */
  onAgain?: () => void;
  /** Whether a language model may be offered below a found answer. */
  offersModel?: boolean;
  suggestions?: ReactNode;
}

/** The found passages that the answer does not cite. */
const passagesOf = ({ shown, more }: FoundPlaces): Offer => ({
  list: [...shown, ...more].filter(({ numbers }) => numbers.length === 0).map((p) => p.citation),
  noun: 'passage',
});

function headingOf({ grounded }: Answer, cites: boolean): string {
  if (!grounded) return 'Nearest passages';
  return cites ? 'Sources' : 'Found in your files';
}

/** An answer whose sources and files open in the evidence pane. */
export default function ShownAnswer(props: ShownAnswerProps) {
  const { answer, pending } = props;
  const { id, question } = answer;
  const { open, docked } = useEvidence();
  const places = useMemo(() => placesOf(answer), [answer]);
  const passages = useMemo(() => passagesOf(places), [places]);
  const sources = useMemo((): Offer => ({ list: answer.citations, noun: 'source' }), [answer]);
  const found = isFound(answer);
  const cites = answer.grounded && answer.citations.length > 0 && !found;
  const onLooked = useOffer(question, cites ? sources : passages);
  const openSource = (n: number): void => open({ ...sources, n });
  const openPlace = ({ citation: { n }, numbers }: FoundPlace): void =>
    open({ ...(numbers.length > 0 ? sources : passages), n });
  // While a model writes, the found passages are already shown.
  const isReading = pending && answer.mode === null;
  const queries = useQueryClient();
  const [sharing, setSharing] = useState(false);
  return (
    <>
      <AnswerPanel
        {...props}
        {...(id === null ? {} : { onShare: () => setSharing(true) })}
        onKeep={() => void keepAnswer(answer, queries)}
        onOpenSource={openSource}
        onOpenFile={(file) => open(viewedFile(file))}
        onLooked={onLooked}
        docked={docked}
        isFound={found}
        sections={
          !isReading && (
            <>
              <FoundSections
                heading={headingOf(answer, cites)}
                places={places}
                isAnswer={found}
                onOpen={openPlace}
                onOpenFile={(file) => open(viewedFile({ ...file, fileType: '' }))}
              />
              {found && props.offersModel && <ModelOffer />}
            </>
          )
        }
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

/** In place of an answer that is not in the history or could not be loaded. */
export function MissingAnswer({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState
        icon={<IconHistoryOff size={24} stroke={1.6} />}
        title="This question is not in your history"
        text="The link may be old, or may belong to somebody else. Ask again to get an answer."
      />
    );
  }
  return <ErrorState title="The answer could not be loaded" error={error} onRetry={onRetry} />;
}
