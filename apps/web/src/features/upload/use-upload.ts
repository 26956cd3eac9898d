import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { plural } from '../../format/format.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useAppSettings } from '../../api/settings.ts';
import { deletionsOf } from '../../artifacts/deletions.ts';
import { writeSession } from '../../session/session.ts';
import { sendUpload, type UploadSummary } from './send-upload.ts';
import { fileNameFor } from './take-in.ts';
import { forgetUnsent, keepUnsent, wouldLoseFiles } from './unsent-files.ts';
import {
  emptyContent,
  newItem,
  uploadReducer,
  type UploadAction,
  type UploadContent,
  type UploadItem,
} from './upload-state.ts';

const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

function describe({ stored, duplicates, refused }: UploadSummary): string {
  const parts = [`${plural(stored, 'upload')} stored.`];
  if (duplicates > 0) {
    parts.push(`${plural(duplicates, 'was', 'were')} there already; keywords were merged.`);
  }
  if (refused > 0) parts.push(`${plural(refused, 'file was', 'files were')} not taken.`);
  return parts.join(' ');
}

/** The files of an upload, and its text as a note. */
function unsentOf({ items, text }: UploadContent): (UploadItem & { note?: string })[] {
  const files = items.filter(({ status }) => status !== 'sent');
  if (text.trim() === '') return files;
  const note = newItem(new File([], fileNameFor(text)));
  return [...files, { ...note, id: 'panel-text', note: text.trim() }];
}

interface Upload {
  content: UploadContent;
  dispatch: (action: UploadAction) => void;
  isSending: boolean;
  /** Sends everything; answers whether all of it was taken. */
  send: () => Promise<boolean>;
  /** Stops the call that is under way; what was sent before stays stored. */
  stop: () => void;
}

/** The panel's content and its way to the server. */
export function useUpload(): Upload {
  const queries = useQueryClient();
  const [content, dispatch] = useReducer(uploadReducer, emptyContent);
  const settings = useAppSettings();
  const [isSending, setSending] = useState(false);
  const controller = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent): void => {
      if (wouldLoseFiles()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
  // A session that ends takes the panel with it, and the upload with the panel.
  useEffect(() => () => controller.current?.abort(), []);

  const begin = (): AbortSignal => {
    controller.current = new AbortController();
    setSending(true);
    return controller.current.signal;
  };

  const deliver = async (part: UploadContent, signal: AbortSignal): Promise<boolean> => {
    await deletionsOf(queries).flush();
    // What another app shared is stored until it is uploaded, anyway.
    if (part.shares.length === 0) keepUnsent(unsentOf(part), part.keywords);
    const summary = await sendUpload(part, settings, dispatch, signal);
    forgetUnsent(unsentOf(part).map(({ id }) => id));
    setSending(false);
    dispatch({ type: 'dropSent' });
    if (summary.stored > 0) {
      writeSession('artifactsExist', 'true');
      queries.setQueryData(queryKeys.lastUpload, Date.now());
      for (const key of [
        'artifacts',
        'keywords',
        'metrics',
        'suggestions',
        'recommendations',
      ] as const) {
        void queries.invalidateQueries({ queryKey: queryKeys[key] });
      }
      notifySuccess(describe(summary));
    }
    if (summary.failure !== null && !isStop(summary.failure)) {
      notifyError(
        'The upload stopped',
        summary.failure,
        'What was not sent is still in the panel: press UPLOAD to go on.',
      );
    }
    return summary.failure === null && summary.refused === 0;
  };

  return {
    content,
    dispatch,
    isSending,
    send: () => deliver(content, begin()),
    stop: () => controller.current?.abort(),
  };
}
