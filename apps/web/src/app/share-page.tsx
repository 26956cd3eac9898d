import { SpokenHeading } from '../components/page.tsx';
import { appSettings } from '@engram/contract/browser';
import { Button, Center } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState, ErrorState } from '../components/empty-state.tsx';
import { useProfile } from '../session/account.ts';
import { useDocumentTitle } from '../browser/document-title.ts';
import { keyOf } from '../api/keys.ts';
import { useAppSettings } from '../api/settings.ts';
import {
  claimShared,
  noteOf,
  pageOf,
  type SharedItem,
} from '../features/installation/share-inbox.ts';
import { uploadPanel } from '../artifacts/dialogs.ts';
import type { PanelContent } from '../features/upload/merge-content.ts';
import { useUploadQueue } from '../features/upload/upload-queue.ts';
import { isWebAddress } from '../artifacts/web-address.ts';

function panelContentOf(item: SharedItem): PanelContent {
  const page = pageOf(item);
  return { ...item, page, text: page === '' ? noteOf(item) : '' };
}

/** The web page that the bookmarklet has put into this page's address. */
function useBookmarkedPage(): readonly PanelContent[] {
  const [search] = useSearchParams();
  const page = search.get('url') ?? '';
  return useMemo(
    () =>
      isWebAddress(page) ? [{ id: null, files: [], text: '', title: '', leftOut: [], page }] : [],
    [page],
  );
}

function useSharedInPanel(owner: string | null): unknown {
  const queue = useUploadQueue();
  const linked = useBookmarkedPage();
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    if (owner === null) return;
    let current = true;
    const waiting =
      'indexedDB' in globalThis ? claimShared(owner, Date.now()) : Promise.resolve([]);
    waiting.then(
      (items) => {
        if (!current) return;
        queue.addContent([...linked, ...items.map(panelContentOf)]);
        uploadPanel.set(true);
      },
      (error: unknown) => current && setProblem(error),
    );
    return () => {
      current = false;
    };
  }, [owner, queue, linked]);
  return problem;
}

export default function SharePage() {
  useDocumentTitle('Upload');
  const { data: profile, error, refetch } = useProfile();
  useAppSettings();
  const areLimitsKnown = useIsFetching({ queryKey: keyOf(appSettings) }) === 0;
  const problem = useSharedInPanel(profile?.isAgreedTerms && areLimitsKnown ? profile.id : null);
  if (error && !profile) {
    return (
      <ErrorState
        title="Shared content is stored until the server can be reached."
        error={error}
        onRetry={refetch}
      />
    );
  }
  return (
    <Center mih="60vh">
      <SpokenHeading>Upload</SpokenHeading>
      {problem ? (
        <ErrorState title="The shared content could not be read." error={problem} />
      ) : (
        <EmptyState
          icon={<IconUpload size={24} stroke={1.6} />}
          title="Add to your files"
          text="Files and text that you share from other apps are added to the upload panel. Check them there, add keywords, and upload."
          action={<Button onClick={() => uploadPanel.set(true)}>Open the upload panel</Button>}
        />
      )}
    </Center>
  );
}
