import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { notifyError, notifySuccess } from '../../lib/notify.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { writeSession } from '../../lib/session.ts';
import { sendUpload, type UploadSummary } from './send-upload.ts';
import {
  emptyContent,
  uploadReducer,
  type UploadAction,
  type UploadContent,
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

interface Upload {
  content: UploadContent;
  dispatch: (action: UploadAction) => void;
  isSending: boolean;
  send: () => Promise<void>;
  /** Stops the call that is under way; what was sent before stays stored. */
  stop: () => void;
}

/** The panel's content and its way to the server. `onDone` is called when everything was taken. */
export function useUpload(onDone: () => void): Upload {
  const queries = useQueryClient();
  const [content, dispatch] = useReducer(uploadReducer, emptyContent);
  const [isSending, setSending] = useState(false);
  const controller = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
  // A session that ends takes the panel with it, and the upload with the panel.
  useEffect(() => () => controller.current?.abort(), []);

  const send = async (): Promise<void> => {
    controller.current = new AbortController();
    setSending(true);
    const summary = await sendUpload(content, dispatch, controller.current.signal);
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
    if (isStop(summary.failure)) return;
    if (summary.failure !== null) notifyError('The upload stopped', summary.failure);
    else if (summary.refused === 0) {
      dispatch({ type: 'clear' });
      onDone();
    }
  };

  return { content, dispatch, isSending, send, stop: () => controller.current?.abort() };
}
