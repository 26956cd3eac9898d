import { Button, Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconDownload,
  IconMessageQuestion,
  IconRefresh,
  IconTag,
  IconTagOff,
} from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { BULK_LIMIT } from '@engram/contract/browser';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { plural } from '../../../format/format.ts';
import { type Change, useChangeArtifacts, useDownloadArtifacts } from '../api/change-artifacts.ts';
import { AddKeyword } from './add-keyword.tsx';
import { OnFirstPress } from './on-first-press.tsx';

interface SelectionActionsProps {
  /** The files in sight: the names of others are not known here. */
  files: readonly Artifact[];
  ids: ReadonlySet<string>;
  /** Whether the selected files are archived ones. */
  archived: boolean;
  /** The person's active keywords. */
  knownKeywords: readonly string[];
  disabled: boolean;
  /** Called with files that belong to another list from now on. */
  onLeft: (ids: readonly string[]) => void;
}

/** As many files as a question may be limited to. */
const MOST_ASKED = 100;

const leaves = ({ verb }: Change): boolean => verb === 'archive' || verb === 'unarchive';

/** What can be done with the selected files, but for deleting them. */
export function SelectionActions(props: SelectionActionsProps) {
  const { files, ids, archived, knownKeywords, disabled, onLeft } = props;
  const change = useChangeArtifacts((made, done) => {
    if (leaves(made)) onLeft(done);
  });
  const inSight = files.filter(({ artifactId }) => ids.has(artifactId));
  // Those of files on other pages are not known.
  const others = inSight.length < ids.size ? knownKeywords : [];
  const carried = [...new Set([...inSight.flatMap(({ keywords }) => keywords), ...others])];
  const download = useDownloadArtifacts();
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
  const look = { variant: 'default', size: 'xs' } as const;
  const tagButton = (given: { onClick: () => void; 'aria-expanded': boolean }) => (
    <Button
      {...look}
      {...given}
      leftSection={<IconTag size={15} stroke={1.8} />}
      aria-haspopup="listbox"
      disabled={disabled}
    >
      Keyword
    </Button>
  );
  return (
    <>
      <OnFirstPress renderButton={(open) => tagButton({ onClick: open, 'aria-expanded': false })}>
        <AddKeyword
          name={plural(ids.size, 'file')}
          known={knownKeywords}
          taken={[]}
          renderButton={tagButton}
          onAdd={(keyword) => run('tag', [keyword])}
        />
      </OnFirstPress>
      <Menu position="bottom-start" width={200}>
        <Menu.Target>
          <Button
            {...look}
            leftSection={<IconTagOff size={15} stroke={1.8} />}
            disabled={busy || carried.length === 0}
          >
            Remove keyword
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
          {carried.map((keyword) => (
            <Menu.Item key={keyword} onClick={() => run('untag', [keyword])}>
              {keyword}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {!archived && (
        <Button
          {...look}
          leftSection={<IconMessageQuestion size={15} stroke={1.8} />}
          disabled={disabled || ids.size > MOST_ASKED}
          onClick={ask}
        >
          {ids.size === 1 ? 'Ask this' : 'Ask these'}
        </Button>
      )}
      <Button
        {...look}
        leftSection={archived ? <IconArchiveOff size={15} /> : <IconArchive size={15} />}
        disabled={busy}
        onClick={() => run(archived ? 'unarchive' : 'archive')}
      >
        {archived ? 'Un-Archive' : 'Archive'}
      </Button>
      <Button
        {...look}
        leftSection={<IconDownload size={15} stroke={1.8} />}
        loading={download.isPending}
        disabled={disabled || ids.size > BULK_LIMIT}
        onClick={() => download.mutate([...ids])}
      >
        Download
      </Button>
      <Button
        {...look}
        leftSection={<IconRefresh size={15} stroke={1.8} />}
        disabled={busy}
        onClick={() => run('retry')}
      >
        Retry failed
      </Button>
    </>
  );
}
