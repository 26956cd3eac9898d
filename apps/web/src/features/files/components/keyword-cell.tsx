import { Menu, Pill } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useSetArtifactKeywords } from '../api/set-artifact-keywords.ts';
import { sameKeyword } from '../keyword-rules.ts';
import { AddKeyword } from './add-keyword.tsx';
import classes from './keyword-cell.module.css';

const SHOWN = 2;

interface KeywordCellProps {
  file: Artifact;
  /** The person's active keywords. */
  known: readonly string[];
}

/** A file's keywords: two of them, the rest behind a number, and a way to take and give some. */
export function KeywordCell({ file, known }: KeywordCellProps) {
  const { mutate } = useSetArtifactKeywords(file);
  const { keywords, artifactFileName: name } = file;
  const remove = (keyword: string): void => mutate(keywords.filter((other) => other !== keyword));
  const add = (keyword: string): void => {
    if (!keywords.some((other) => sameKeyword(other, keyword))) mutate([...keywords, keyword]);
  };
  return (
    <div className={classes.keywords}>
      {keywords.slice(0, SHOWN).map((keyword) => (
        <Pill
          key={keyword}
          className={classes.badge ?? ''}
          title={keyword}
          withRemoveButton
          removeButtonProps={{
            'aria-label': `Remove ${keyword} from ${name}`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => remove(keyword)}
        >
          {keyword}
        </Pill>
      ))}
      {keywords.length > SHOWN && (
        <MoreKeywords keywords={keywords.slice(SHOWN)} name={name} onRemove={remove} />
      )}
      <AddKeyword
        name={name}
        known={known.filter((word) => !keywords.some((other) => sameKeyword(other, word)))}
        taken={keywords}
        onAdd={add}
      />
    </div>
  );
}

interface MoreKeywordsProps {
  keywords: readonly string[];
  /** The file's name. */
  name: string;
  onRemove: (keyword: string) => void;
}

function MoreKeywords({ keywords, name, onRemove }: MoreKeywordsProps) {
  return (
    <Menu position="bottom-start" closeOnItemClick={keywords.length === 1}>
      <Menu.Target>
        <button
          className={classes.more}
          type="button"
          aria-label={`More keywords of ${name}: ${keywords.length}`}
        >
          +{keywords.length}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.list ?? ''}>
        {keywords.map((keyword) => (
          <Menu.Item
            key={keyword}
            aria-label={`Remove ${keyword} from ${name}`}
            rightSection={<IconX size={14} stroke={1.8} />}
            onClick={() => onRemove(keyword)}
          >
            {keyword}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
