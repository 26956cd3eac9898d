import { ApiError } from '@engram/client';
import type { Citation } from '@engram/contract';
import { getArtifactView } from '@engram/contract/browser';
import { Anchor } from '@mantine/core';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { FRESH_MS, segmentRange, useArtifactSegments } from '../api.ts';
import { Prose } from '../../../components/prose.tsx';
import { buildView, markInView } from '../build-view.ts';
import { locateInView } from '../locate-in-view.ts';
import classes from './document-view.module.css';
import { type ReadFile, ViewerFailure, ViewerNote, ViewerSkeleton } from './read-text.tsx';
import { TextView } from './text-view.tsx';
import viewerClasses from './viewer.module.css';

/** The offset of the cited archive member in the whole text; 0 for other files, null until it is known. */
function useMemberStart({ artifactId, location }: Citation, quoteStart: number): number | null {
  const path = 'path' in location ? location.path : null;
  const { data, isError } = useArtifactSegments(artifactId, path === null ? null : quoteStart);
  if (path === null || isError) return 0;
  const first = data?.find(
    (segment) => 'path' in segment.location && segment.location.path === path,
  );
  return data ? (first?.start ?? 0) : null;
}

interface DocumentViewProps extends ReadFile {
  citation: Citation;
  url: string;
}

export function DocumentView({ citation, url, text, place }: DocumentViewProps) {
  const quoteStart = place?.[0] ?? 0;
  const base = useMemberStart(citation, quoteStart);
  const { from, to } = segmentRange(quoteStart - (base ?? 0));
  const { artifactId, location } = citation;
  const member = 'path' in location ? { path: String(location.path) } : {};
  const { data, error, isPending, refetch } = useCall(
    getArtifactView,
    base === null ? null : { params: { artifactId }, query: { from, to, ...member } },
    { staleTime: FRESH_MS },
  );
  if (isPending) return <ViewerSkeleton />;
  if (data) {
    return (
      <>
        {!data.complete && (
          <ViewerNote>
            This file is very long, so only a part of it is shown.{' '}
            <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit underline="always">
              Open the original
            </Anchor>
          </ViewerNote>
        )}
        <Page html={data.html} text={text} place={place} from={from + (base ?? 0)} />
      </>
    );
  }
  if (!(error instanceof ApiError) || error.status !== 422) {
    return <ViewerFailure error={error} quote={citation.quote} onRetry={refetch} />;
  }
  return (
    <>
      <ViewerNote>The layout of this file can’t be shown. This is its text.</ViewerNote>
      <TextView text={text} place={place} numbered={false} />
    </>
  );
}

interface PageProps extends ReadFile {
  html: string;
  from: number;
}

function Page({ html, text, place, from }: PageProps) {
  const page = useRef<HTMLDivElement>(null);
  const view = useMemo(() => buildView(html), [html]);
  const located = useMemo(
    () => (place ? locateInView(view, { text, place, from }) : null),
    [view, text, place, from],
  );
  useLayoutEffect(() => {
    const { current } = page;
    current?.append(view.content);
    return () => {
      // Returns the nodes to the fragment, so that the view can be shown again.
      if (current) view.content.append(...current.childNodes);
    };
  }, [view]);
  useLayoutEffect(() => {
    if (!located) return undefined;
    const unmark = markInView(view, located.quote);
    const mark = page.current?.querySelector('mark[data-testid]');
    const near = view.nodes.findLast(({ start }) => start <= (located.near ?? -1))?.node;
    const target = mark ?? near?.parentElement;
    target?.scrollIntoView({ block: 'center', inline: 'nearest' });
    if (!mark) target?.setAttribute('data-near', '');
    return () => {
      unmark();
      target?.removeAttribute('data-near');
    };
  }, [view, located]);
  return (
    <section className={viewerClasses.scroller} aria-label="Text of the file" tabIndex={0}>
      <div className={classes.page}>
        <Prose ref={page} c="var(--eg-ink)" />
      </div>
    </section>
  );
}
