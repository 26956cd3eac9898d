import { useEffect, useState } from 'react';
import { readStored, type Stored } from '../stored.ts';

/** The state that the background script stored, kept up to date; null while it is loading. */
export function useStored(): Stored | null {
  const [stored, setStored] = useState<Stored | null>(null);
  useEffect(() => {
    const read = () => void readStored().then(setStored);
    read();
    chrome.storage.local.onChanged.addListener(read);
    return () => chrome.storage.local.onChanged.removeListener(read);
  }, []);
  return stored;
}

export interface CurrentTab {
  id: number;
  url: string;
  title: string;
}

/** The page under the popup; undefined while it is loading. */
export function useCurrentTab(): CurrentTab | null | undefined {
  const [current, setCurrent] = useState<CurrentTab | null>();
  useEffect(() => {
    const normal: chrome.windows.QueryOptions = { windowTypes: ['normal'], populate: true };
    void chrome.windows.getLastFocused(normal).then(({ tabs }) => {
      const { id, url, title } = tabs?.find(({ active }) => active) ?? {};
      setCurrent(id === undefined || !url ? null : { id, url, title: title || url });
    });
  }, []);
  return current;
}

export type Result<T> = { data?: T; error?: string; isRunning: boolean };

/** The result of `load`, which runs again when `key` changes. With null as key it does not run. */
export function useLoaded<T>(key: string | null, load: () => Promise<T>): Result<T> {
  const [result, setResult] = useState<Result<T>>({ isRunning: key !== null });
  useEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    const report = (next: Result<T>) => isCurrent && setResult(next);
    load().then(
      (data) => report({ data, isRunning: false }),
      (error: Error) => report({ error: error.message, isRunning: false }),
    );
    return () => {
      isCurrent = false;
    };
    // `load` is a new function after each rendering.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
  return result;
}

/** An action of a button, with its result. */
export function useRun<T>(run: () => Promise<T>): [Result<T>, () => void] {
  const [result, setResult] = useState<Result<T>>({ isRunning: false });
  const start = () => {
    setResult({ isRunning: true });
    run().then(
      (data) => setResult({ data, isRunning: false }),
      (error: Error) => setResult({ error: error.message, isRunning: false }),
    );
  };
  return [result, start];
}
