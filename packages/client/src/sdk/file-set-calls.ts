import * as api from '@engram/contract/browser';
import type { BodyOf } from '@engram/contract';
import { bytes, json } from './calls.ts';
import * as check from './check.ts';
import type { File } from './models.ts';
import * as read from './readers.ts';

/*
 * Calls on several files at once.
 */

const idsOf = (files: Iterable<File | string>, call: string): string[] => {
  const ids = check.several(files, call).map(check.identifier);
  if (ids.length < 1 || ids.length > api.BULK_LIMIT) {
    check.refuse(`From 1 to ${api.BULK_LIMIT} files can be named at once.`, 'files');
  }
  return ids;
};

type Verb = BodyOf<typeof api.changeArtifacts>['verb'];

/** The same done with several files. A second try would tell of others, so there is one only where the first was not seen. */
export const change = (
  verb: Verb,
  files: Iterable<File | string>,
  single: string,
  words?: Iterable<string>,
) =>
  json(
    api.changeArtifacts,
    {
      body: {
        verb,
        ids: idsOf(files, single),
        ...(words === undefined ? {} : { keywords: check.keywords(words, check.FILE_KEYWORDS) }),
      },
    },
    read.fileChanges,
    verb === 'retry' ? 'unseen' : 'always',
  );

export const zip = (files: Iterable<File | string>) =>
  json(api.zipArtifacts, { body: { ids: idsOf(files, 'download()') } }, read.zipLink);

/** The bytes behind a link to a zip. */
export const readZip = (url: string) =>
  bytes(api.readZip, { params: { token: url.slice(url.lastIndexOf('/') + 1) } });
