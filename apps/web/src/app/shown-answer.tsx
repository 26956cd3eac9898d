import { Text } from '@mantine/core';
import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { useEvidence, useOffer, useRestingEvidence, type Viewed } from '../artifacts/evidence.ts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { viewedFile } from '../artifacts/whole-file.ts';
import { TextButton } from '../components/text-button.tsx';
import type { Answer } from '../features/search/answer.ts';
import { originOf } from '../features/search/answer-status.ts';
import type { AnswerChanges } from '../features/search/components/answer-actions.tsx';
import { AnswerPanel } from '../features/search/components/answer-panel.tsx';
import { copiedAnswer } from '../features/search/copied-answer.ts';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { SourceList } from '../features/viewer/components/source-list.tsx';
import { paths } from './paths.ts';

/** Keeps an answer with its sources, named by its question. */
async function keepAnswer(answer: Answer, queries: QueryClient): Promise<void> {
  const { keepNote } = await import('../uploads/keep-note.ts');
  const text = `${answer.question}\n\n${copiedAnswer(answer)}`;
  await keepNote(text, { what: 'answer', files: paths.files, queries });
}

const ShareDialog = lazy(async () => ({
  default: (await import('../features/shares/components/share-dialog.tsx')).ShareDialog,
}));

interface ShownAnswerProps extends AnswerChanges {
  answer: Answer;
  pending: boolean;
  onAsk: (question: string) => void;
  /** Given where the question can be asked again. */
  onAgain?: () => void;
  suggestions?: ReactNode;
}

/** What the pane is to show of an answer: its sources, or where there are none what comes nearest. */
function useViewed(answer: Answer, pending: boolean): Viewed {
  const { grounded, citations, nearest, related } = answer;
  return useMemo(
    () => ({
      list: grounded ? citations : nearest,
      n: null,
      noun: grounded ? 'source' : 'passage',
      files: related,
      pending,
    }),
    [grounded, citations, nearest, related, pending],
  );
}

interface AnswerSourcesProps {
  viewed: Viewed;
  onOpen: (n: number) => void;
}

/** The list of an answer's sources, unless it stands beside the page. */
function AnswerSources({ viewed, onOpen }: AnswerSourcesProps) {
  // The pane closes at once; the lists in the page may follow it.
  const beside = useDeferredValue(useRestingEvidence());
  return useMemo(
    () =>
      beside || viewed.list.length === 0 ? null : <SourceList viewed={viewed} onOpen={onOpen} />,
    [beside, viewed, onOpen],
  );
}

/** Where an answer comes from; where its sources stand beside the page, a click shows them there. */
function Origin({ answer, onShow }: { answer: Answer; onShow: () => void }) {
  const beside = useRestingEvidence();
  const origin = originOf(answer);
  if (origin === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {beside && answer.citations.length + answer.nearest.length > 0 ? (
        <TextButton fw={400} underline="hover" title="Show the sources" onClick={onShow}>
          {origin}
        </TextButton>
      ) : (
        origin
      )}
    </Text>
  );
}

/** An answer, whose sources and files open in the evidence pane. */
export default function ShownAnswer(props: ShownAnswerProps) {
  const { id, question } = props.answer;
  const { open, docked } = useEvidence();
  const viewed = useViewed(props.answer, props.pending);
  const onLooked = useOffer(question, viewed);
  const openSource = useCallback((n: number) => open({ ...viewed, n }), [open, viewed]);
  const showSources = useCallback(() => open(viewed), [open, viewed]);
  const queries = useQueryClient();
  // Null until the dialog is first opened; it stays where it is while it closes.
  const [sharing, setSharing] = useState<{ opened: boolean } | null>(null);
  return (
    <>
      <AnswerPanel
        {...props}
        {...(id === null ? {} : { onShare: () => setSharing({ opened: true }) })}
        onKeep={() => void keepAnswer(props.answer, queries)}
        onOpenSource={openSource}
        onOpenFile={(file) => open(viewedFile(file))}
        onLooked={onLooked}
        docked={docked}
        origin={<Origin answer={props.answer} onShow={showSources} />}
        sources={<AnswerSources viewed={viewed} onOpen={openSource} />}
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
