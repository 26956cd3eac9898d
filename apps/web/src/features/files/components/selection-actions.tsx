import { Menu, UnstyledButton } from '@mantine/core';
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
} from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { BULK_LIMIT, zipArtifacts } from '@engram/contract/browser';
import type { ComponentProps } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../../api/use-action.ts';
import { notifyError } from '../../../components/notify.ts';
import { type Change, useChangeArtifacts } from '../use-change-artifacts.ts';
import { paths } from '../../../app/paths.ts';
import { plural } from '../../../format/format.ts';
import { AddKeyword } from './add-keyword.tsx';
import { OnFirstPress } from './on-first-press.tsx';
import classes from './selection-bar.module.css';

interface SelectionActionsProps {
  /** The files of the shown page: only their names are known here. */
  files: readonly Artifact[];
  ids: ReadonlySet<string>;
  /** Whether the selected files are archived ones. */
  archived: boolean;
  /** The user's active keywords. */
  knownKeywords: readonly string[];
  disabled: boolean;
  /** Called with files that belong to another list from now on. */
  onLeft: (ids: readonly string[]) => void;
  onDelete: () => void;
}

/** As many files as a question may be limited to. */
const MOST_ASKED = 100;

const leaves = ({ verb }: Change): boolean => verb === 'archive' || verb === 'unarchive';

/** The buttons of the selection bar. */
export function SelectionActions(props: SelectionActionsProps) {
  const { files, ids, archived, knownKeywords, disabled, onLeft, onDelete } = props;
  const change = useChangeArtifacts((made, done) => {
    if (leaves(made)) onLeft(done);
  });
  const inSight = files.filter(({ artifactId }) => ids.has(artifactId));
  // Those of files on other pages are not known.
  const others = inSight.length < ids.size ? knownKeywords : [];
  const carried = [...new Set([...inSight.flatMap(({ keywords }) => keywords), ...others])];
  const download = useAction(zipArtifacts, {
    // It is saved, so the page stays.
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyError('The files were not downloaded', error),
  });
  const navigate = useNavigate();
  const ask = (): void => {
    const names = new Map(files.map((file) => [file.artifactId, file.artifactFileName]));
    const asked = Array.from(ids, (artifactId) => ({
      artifactId,
      fileName: names.get(artifactId) ?? '',
    }));
    void navigate(paths.search, { state: { files: asked } });
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
          disabled={disabled || ids.size > MOST_ASKED}
          onClick={ask}
        />
      )}
      <OnFirstPress
        renderButton={(open) => (
          <Action {...keywordButton} disabled={disabled} aria-expanded={false} onClick={open} />
        )}
      >
        <AddKeyword
          name={plural(ids.size, 'file')}
          known={knownKeywords}
          taken={[]}
          renderButton={(button) => <Action {...keywordButton} disabled={disabled} {...button} />}
          onAdd={(keyword) => run('tag', [keyword])}
        />
      </OnFirstPress>
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
          {carried.length > 0 && <Menu.Label>Remove keyword</Menu.Label>}
          {carried.map((keyword) => (
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
