import { ActionIcon, Group, Pill } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { lazy } from 'react';
import { isSameKeyword } from '../../../artifacts/keywords.ts';
import { useSetArtifactKeywords } from '../use-artifacts.ts';
import { addButton, moreButton, DeferredMenu } from './row-buttons.tsx';

const AddKeyword = lazy(async () => ({
  default: (await import('./keyword-menus.tsx')).AddKeyword,
}));
const MoreKeywords = lazy(async () => ({
  default: (await import('./keyword-menus.tsx')).MoreKeywords,
}));

const SHOWN = 2;

export function KeywordCell({ file }: { file: Artifact }) {
  const { artifactId, artifactFileName: name } = file;
  const { mutate, isPending, variables } = useSetArtifactKeywords(artifactId);
  // A change is shown immediately, and reverted if the server refuses it.
  const keywords = isPending ? variables.body.keywords : file.keywords;
  const set = (next: string[]): void => mutate({ body: { artifactId, keywords: next } });
  const remove = (keyword: string): void => set(keywords.filter((other) => other !== keyword));
  const add = (keyword: string): void => {
    if (!keywords.some((other) => isSameKeyword(other, keyword))) set([...keywords, keyword]);
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
        <DeferredMenu
          renderButton={(open) => (
            <ActionIcon
              {...moreButton(name, keywords.length - SHOWN)}
              aria-expanded={false}
              onClick={open}
            />
          )}
        >
          <MoreKeywords keywords={keywords.slice(SHOWN)} name={name} onRemove={remove} />
        </DeferredMenu>
      )}
      <DeferredMenu
        renderButton={(open) => (
          <ActionIcon {...addButton(name)} aria-expanded={false} onClick={open} />
        )}
      >
        <AddKeyword name={name} taken={keywords} onAdd={add} />
      </DeferredMenu>
    </Group>
  );
}
