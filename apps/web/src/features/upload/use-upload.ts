import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { plural } from '../../format/format.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { writeSession } from '../../session/session.ts';
import { sendUpload, type UploadSummary } from './send-upload.ts';
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

interface Upload {
  content: UploadContent;
  dispatch: (action: UploadAction) => void;
  isSending: boolean;
  /** Sends everything; answers whether all of it was taken. */
  send: () => Promise<boolean>;
  /**
   * Adds a file that is made for it and sends that one alone, with the keywords of the whole upload.
   * Answers whether it was taken.
   * @throws what making it throws; nothing has changed then.
   */
  sendMade: (make: () => Promise<File>) => Promise<boolean>;
  /** Stops the call that is under way; what was sent before stays stored. */
  stop: () => void;
}

/** The panel's content and its way to the server. */
export function useUpload(): Upload {
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

  const begin = (): AbortSignal => {
    controller.current = new AbortController();
    setSending(true);
    return controller.current.signal;
  };

  const deliver = async (part: UploadContent, signal: AbortSignal): Promise<boolean> => {
    const summary = await sendUpload(part, dispatch, signal);
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

  const sendMade = async (make: () => Promise<File>): Promise<boolean> => {
    const signal = begin();
    let item: UploadItem;
    try {
      item = newItem(await make());
    } catch (error) {
      setSending(false);
      throw error;
    }
    dispatch({ type: 'add', items: [item] });
    return deliver({ ...content, items: [item], text: '' }, signal);
  };

  return {
    content,
    dispatch,
    isSending,
    send: () => deliver(content, begin()),
    sendMade,
    stop: () => controller.current?.abort(),
  };
}
