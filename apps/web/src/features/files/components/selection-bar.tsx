import { Menu, UnstyledButton } from '@mantine/core';
import type { Artifact, ArtifactVerb } from '@engram/contract';
import { BULK_LIMIT, changeArtifacts, zipArtifacts } from '@engram/contract/browser';
import {
  type Icon,
  IconArchive,
  IconArchiveOff,
  IconDots,
  IconDownload,
  IconMessageQuestion,
  IconRefresh,
  IconTag,
  IconTagOff,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../../api/api.ts';
import { invalidate } from '../../../api/keys.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { useDeletions } from '../../../artifacts/deletions.ts';
import { useActiveKeywords } from '../../../artifacts/keywords.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { plural } from '../../../format/format.ts';
import type { FileFilter } from '../files-view.ts';
import { listIds } from '../use-artifacts.ts';
import type { Selection } from '../use-selection.ts';
import { AddKeyword } from './keyword-menus.tsx';
import { DeferredMenu } from './row-buttons.tsx';
import classes from './selection-bar.module.css';

interface Change {
  verb: Exclude<ArtifactVerb, 'delete'>;
  ids: readonly string[];
  keywords?: string[];
}

function messageFor({ verb, keywords = [] }: Change, done: number): string {
  const files = (singular: string, pluralVerb: string) =>
    plural(done, `file ${singular}`, `files ${pluralVerb}`);
  if (verb === 'tag') return `${files('has', 'have')} the keyword ${keywords.join(', ')}.`;
  if (verb === 'untag') return `${files('lost', 'lost')} the keyword ${keywords.join(', ')}.`;
  if (verb === 'archive') return `${files('is', 'are')} archived: kept, and left out of search.`;
  if (verb === 'unarchive') return `${files('is', 'are')} back in search.`;
  return `${files('is', 'are')} being read again.`;
}

function useChangeArtifacts(onLeaveList: (ids: readonly string[]) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ verb, ids, keywords }: Change) => {
      const done: string[] = [];
      const refused = new Map<string, number>();
      for (let offset = 0; offset < ids.length; offset += BULK_LIMIT) {
        const batch = ids.slice(offset, offset + BULK_LIMIT);
        const body = { verb, ids: batch, ...(keywords ? { keywords } : {}) };
        const { data } = await api.call(changeArtifacts, { body });
        done.push(...data.done);
        for (const { message, ids: refusedIds } of data.refused) {
          refused.set(message, (refused.get(message) ?? 0) + refusedIds.length);
        }
      }
      return { done, refused };
    },
    onSuccess: ({ done, refused }, change) => {
      const others = [...refused].map(
        ([reason, count]) => ` ${plural(count, 'file')} not: ${reason}`,
      );
      notifySuccess(messageFor(change, done.length) + others.join(''));
      if (change.verb === 'archive' || change.verb === 'unarchive') onLeaveList(done);
    },
    onError: (error) => notifyError('The files were not changed', error),
    onSettled: () => invalidate(queries, ['artifacts', 'history', 'keywords']),
  });
}

const MAX_ASKED = 100;

interface SelectionBarProps {
  files: readonly Artifact[];
  selection: Selection;
  elsewhere: number;
  filter: FileFilter;
  total: number;
  onDelete: () => void;
}

export default function SelectionBar(props: SelectionBarProps) {
  const { files, selection, elsewhere, filter, total } = props;
  const { ids, add, clear } = selection;
  const { hidden } = useDeletions();
  // Files that arrive later are not selected: the user has not seen them.
  const selectAll = useMutation({
    mutationFn: () => listIds(filter),
    onSuccess: (all) => add(all.filter((id) => !hidden.has(id))),
    onError: (error) => notifyError('The files could not be selected', error),
  });
  const isWholePage = files.every(({ artifactId }) => ids.has(artifactId));
  return (
    <div className={classes.place}>
      <section className={classes.bar} aria-label="Selected files">
        <output className={classes.count}>
          {plural(ids.size, 'file')} selected
          {elsewhere > 0 && <span>{elsewhere.toLocaleString('en-US')} on other pages</span>}
        </output>
        {!isWholePage && (
          <UnstyledButton
            className={classes.action}
            onClick={() => add(files.map(({ artifactId }) => artifactId))}
          >
            Select page
          </UnstyledButton>
        )}
        {isWholePage && ids.size < total && (
          <UnstyledButton
            className={classes.action}
            disabled={selectAll.isPending}
            onClick={() => selectAll.mutate()}
          >
            Select all {total.toLocaleString('en-US')}
          </UnstyledButton>
        )}
        <div className={classes.actions}>
          <Actions {...props} disabled={selectAll.isPending} />
        </div>
        <UnstyledButton className={classes.action} aria-label="Clear selection" onClick={clear}>
          <IconX size={18} stroke={1.8} aria-hidden="true" />
        </UnstyledButton>
      </section>
    </div>
  );
}

function Actions(props: SelectionBarProps & { disabled: boolean }) {
  const { files, selection, filter, onDelete, disabled } = props;
  const { ids, remove } = selection;
  const { archived } = filter;
  const change = useChangeArtifacts(remove);
  const known = useActiveKeywords();
  const onPage = files.filter(({ artifactId }) => ids.has(artifactId));
  // The keywords of files on other pages are not known.
  const others = onPage.length < ids.size ? known : [];
  const removableKeywords = [
    ...new Set([...onPage.flatMap(({ keywords }) => keywords), ...others]),
  ];
  const download = useAction(zipArtifacts, {
    // The browser saves the file and stays on the page.
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyError('The files were not downloaded', error),
  });
  const navigate = useNavigate();
  const ask = (): void => {
    const names = new Map(files.map((file) => [file.artifactId, file.artifactFileName]));
    const fields = Array.from(ids, (artifactId) => ({
      artifactId,
      fileName: names.get(artifactId) ?? '',
    }));
    void navigate(paths.search, { state: { files: fields } });
  };
  const busy = disabled || change.isPending;
  const run = (verb: Change['verb'], keywords?: string[]): void =>
    change.mutate({ verb, ids: [...ids], ...(keywords ? { keywords } : {}) });
  return (
    <>
      {!archived && (
        <Action
          icon={IconMessageQuestion}
          label={ids.size === 1 ? 'Ask this' : 'Ask these'}
          disabled={disabled || ids.size > MAX_ASKED}
          onClick={ask}
        />
      )}
      <DeferredMenu
        renderButton={(open) => (
          <Action {...keywordButton} disabled={disabled} aria-expanded={false} onClick={open} />
        )}
      >
        <AddKeyword
          name={plural(ids.size, 'file')}
          taken={[]}
          renderButton={(button) => <Action {...keywordButton} disabled={disabled} {...button} />}
          onAdd={(keyword) => run('tag', [keyword])}
        />
      </DeferredMenu>
      <Action
        icon={archived ? IconArchiveOff : IconArchive}
        label={archived ? 'Un-Archive' : 'Archive'}
        disabled={busy}
        onClick={() => run(archived ? 'unarchive' : 'archive')}
      />
      <Action
        icon={IconDownload}
        label="Download"
        disabled={disabled || download.isPending || ids.size > BULK_LIMIT}
        onClick={() => download.mutate({ body: { ids: [...ids] } })}
      />
      <Action icon={IconTrash} label="Delete" disabled={disabled} onClick={onDelete} data-danger />
      <Menu position="top-end" width={220}>
        <Menu.Target>
          <Action icon={IconDots} label="More" disabled={busy} />
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => run('retry')}>
            Retry failed
          </Menu.Item>
          {removableKeywords.length > 0 && <Menu.Label>Remove keyword</Menu.Label>}
          {removableKeywords.map((keyword) => (
            <Menu.Item
              key={keyword}
              aria-label={`Remove ${keyword}`}
              leftSection={<IconTagOff size={16} />}
              onClick={() => run('untag', [keyword])}
            >
              {keyword}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

const keywordButton = { icon: IconTag, label: 'Keyword', 'aria-haspopup': 'listbox' } as const;

interface ActionProps extends ComponentProps<'button'> {
  icon: Icon;
  label: string;
  'data-danger'?: boolean;
}

const Action = ({ icon: ActionIcon, label, ...button }: ActionProps) => (
  <UnstyledButton {...button} className={classes.action}>
    <ActionIcon size={18} stroke={1.7} aria-hidden="true" />
    {label}
  </UnstyledButton>
);
