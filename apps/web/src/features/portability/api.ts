import type { ImportResult } from '@engram/contract';
import { importAccount } from '@engram/contract/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { forgetLists } from '../../artifacts/actions.ts';
import { isSignedIn, writeSession } from '../../session/session.ts';

/** Uploads an export and reports its progress; lists are read again afterwards. */
export function useImport() {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const sending = useMutation({
    mutationFn: async (file: File): Promise<ImportResult> => {
      const { signal } = (controller.current = new AbortController());
      setSent(0);
      const files = [{ name: file.name, content: file }];
      const options = { signal, onProgress: setSent };
      return (await api.upload(importAccount, files, {}, options)).data;
    },
    onSuccess({ files }) {
      if (!isSignedIn()) return;
      if (files.added + files.present > 0) writeSession('artifactsExist', 'true');
      forgetLists(queries);
    },
    // Part of it may have been imported before the failure.
    onError: () => void (isSignedIn() && forgetLists(queries)),
  });
  return {
    ...sending,
    /** The share of the file that has been sent, from 0 to 1. */
    sent,
    /** Stops the upload. Nothing is imported before all of it has arrived. */
    stop: () => controller.current?.abort(),
  };
}
