import { Group, Pill } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { lazy } from 'react';
import { useSetArtifactKeywords } from '../use-set-artifact-keywords.ts';
import { sameKeyword } from '../keyword-rules.ts';
import { OnFirstPress } from './on-first-press.tsx';
import { AddButton, MoreButton } from './row-buttons.tsx';

const AddKeyword = lazy(async () => ({
  default: (await import('./add-keyword.tsx')).AddKeyword,
}));
const MoreKeywords = lazy(async () => ({
  default: (await import('./more-keywords.tsx')).MoreKeywords,
}));

const SHOWN = 2;

interface KeywordCellProps {
  file: Artifact;
  /** The user's active keywords. */
  known: readonly string[];
}

/** A file's keywords: two of them, the rest behind a number, and a way to take and give some. */
export function KeywordCell({ file, known }: KeywordCellProps) {
  const { mutate } = useSetArtifactKeywords(file);
  const set = (next: string[]): void =>
    mutate({ body: { artifactId: file.artifactId, keywords: next } });
  const { keywords, artifactFileName: name } = file;
  const remove = (keyword: string): void => set(keywords.filter((other) => other !== keyword));
  const add = (keyword: string): void => {
    if (!keywords.some((other) => sameKeyword(other, keyword))) set([...keywords, keyword]);
  };
  return (
    <Group gap={4}>
      {keywords.slice(0, SHOWN).map((keyword) => (
        <Pill
          key={keyword}
          maw={128}
          data-keyword
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
        <OnFirstPress
          renderButton={(open) => (
            <MoreButton
              name={name}
              count={keywords.length - SHOWN}
              aria-expanded={false}
              onClick={open}
            />
          )}
        >
          <MoreKeywords keywords={keywords.slice(SHOWN)} name={name} onRemove={remove} />
        </OnFirstPress>
      )}
      <OnFirstPress
        renderButton={(open) => <AddButton name={name} aria-expanded={false} onClick={open} />}
      >
        <AddKeyword
          name={name}
          known={known.filter((word) => !keywords.some((other) => sameKeyword(other, word)))}
          taken={keywords}
          onAdd={add}
        />
      </OnFirstPress>
    </Group>
  );
}
