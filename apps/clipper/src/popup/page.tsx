import { type FormEvent, useState } from 'react';
import { ask, type SavedPage } from '../calls.ts';
import type { Outcome } from '../queue.ts';
import { type CurrentTab, type Result, useCurrentTab, useLoaded, useRun } from './hooks.ts';
import { Keywords, keywordsOf } from './keywords.tsx';
import { Passages } from './passages.tsx';

const OpenLink = ({ server, artifactId }: { server: string; artifactId: string }) => (
  <a href={`${server}/source/${artifactId}`} target="_blank" rel="noreferrer">
    Open in Engram
  </a>
);

function SavedState({ server, saved }: { server: string; saved: Result<SavedPage | null> }) {
  const { data, error, isRunning } = saved;
  if (isRunning) return <p className="hint">Checking whether it is saved…</p>;
  if (error !== undefined) {
    return <p className="hint">{error} What you save now waits here until it can be sent.</p>;
  }
  if (!data) return <p className="hint">Not saved yet</p>;
  const day = new Date(data.artifactCreatedDate).toLocaleDateString('en', { dateStyle: 'long' });
  return (
    <p className="hint">
      Saved on {day}. <OpenLink server={server} artifactId={data.artifactId} />
    </p>
  );
}

function OutcomeText({ server, outcome }: { server: string; outcome: Outcome }) {
  if (outcome.kind === 'waiting') {
    return (
      <p className={outcome.refused ? 'error' : 'notice'}>
        {outcome.refused ? 'Not saved' : 'Waiting to be sent'}: {outcome.error}
      </p>
    );
  }
  return (
    <p className="success">
      {outcome.duplicate ? 'Saved already, and unchanged: ' : 'Saved: '}
      {outcome.fileName} <OpenLink server={server} artifactId={outcome.artifactId} />
    </p>
  );
}

function CurrentPage({ server, tab }: { server: string; tab: CurrentTab }) {
  const [keywords, setKeywords] = useState({ chosen: [] as string[], typed: '' });
  const known = useLoaded('keywords', () => ask('listKeywords'));
  const saved = useLoaded(tab.url, () => ask('findSaved', tab.url));
  const [saving, save] = useRun(() => ask('savePage', tab.id, keywordsOf(keywords)));
  const outcome = saving.data;
  const isSaved = outcome?.kind === 'saved' || saved.data;
  const label = isSaved ? 'Save again' : 'Save page';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save();
  };
  return (
    <>
      <form onSubmit={submit}>
        <h2>{tab.title}</h2>
        {outcome?.kind !== 'saved' && <SavedState server={server} saved={saved} />}
        <Keywords state={keywords} onChange={setKeywords} known={known.data ?? []} />
        <button type="submit" className="primary" disabled={saving.isRunning}>
          {saving.isRunning ? 'Saving…' : label}
        </button>
        <output className="status">
          {outcome && <OutcomeText server={server} outcome={outcome} />}
          {saving.error !== undefined && <p className="error">{saving.error}</p>}
        </output>
      </form>
      <Passages
        server={server}
        title={tab.title}
        currentId={outcome?.kind === 'saved' ? outcome.artifactId : saved.data?.artifactId}
      />
    </>
  );
}

/** Saves the current page, and shows what Engram has about it. */
export function Page({ server }: { server: string }) {
  const tab = useCurrentTab();
  if (tab === undefined) return <p className="hint">Loading…</p>;
  if (tab === null) return <p className="hint">This page cannot be saved.</p>;
  return <CurrentPage server={server} tab={tab} />;
}
