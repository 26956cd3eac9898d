import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
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

/** Keeps an answer with its sources, named by its question. */
async function keepAnswer(answer: Answer, queries: QueryClient): Promise<void> {
  const { keepNote } = await import('../artifacts/keep-note.ts');
  const text = `${answer.question}\n\n${copiedAnswer(answer)}`;
  await keepNote(text, { what: 'answer', files: paths.files, queries });
}

const ShareDialog = lazy(async () => ({
  default: (await import('../features/shares/components/share-dialog.tsx')).ShareDialog,
}));

const ModelOffer = lazy(() => import('./model-offer.tsx'));

interface ShownAnswerProps extends AnswerChanges {
  answer: Answer;
  pending: boolean;
  onAsk: (question: string) => void;
  /** Given where the question can be asked again. */
  onAgain?: () => void;
  /** Whether a found answer may be followed by the offer of a language model. */
  offersModel?: boolean;
  suggestions?: ReactNode;
}

/** What is opened of the places that no number of the answer refers to. */
const passagesOf = ({ shown, more }: FoundPlaces): Offer => ({
  list: [...shown, ...more].filter(({ numbers }) => numbers.length === 0).map((p) => p.citation),
  noun: 'passage',
});

function headingOf({ grounded }: Answer, cites: boolean): string {
  if (!grounded) return 'Nearest passages';
  return cites ? 'Sources' : 'Found in your files';
}

/** An answer, whose sources and files open in the evidence pane. */
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
  // A model that still writes has what was found at once.
  const isReading = pending && answer.mode === null;
  const queries = useQueryClient();
  // Null until the dialog is first opened; it stays where it is while it closes.
  const [sharing, setSharing] = useState<{ opened: boolean } | null>(null);
  return (
    <>
      <AnswerPanel
        {...props}
        {...(id === null ? {} : { onShare: () => setSharing({ opened: true }) })}
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
              {found && props.offersModel && (
                <Suspense>
                  <ModelOffer />
                </Suspense>
              )}
            </>
          )
        }
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
