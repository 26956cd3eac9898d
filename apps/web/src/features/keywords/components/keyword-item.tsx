import type { Keyword } from '@engram/contract';
import { Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconLock, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { plural } from '../../../format/format.ts';
import classes from './keyword-item.module.css';

const LOCKED = 'Deleting the default keyword is not possible';

/** Tooltips here answer to the keyboard and to a finger too. */
const events = { hover: true, focus: true, touch: true };

interface KeywordItemProps {
  keyword: Keyword;
  /** How many files carry it; undefined until that is known. */
  files: number | undefined;
  onMove: (keyword: Keyword) => void;
}

/** A keyword with what can be done to it. */
export function KeywordItem({ keyword, files, onMove }: KeywordItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const move = (): void => {
    // The keyword leaves this list: the focus goes on to its neighbour.
    const { nextElementSibling: next, previousElementSibling: previous } = item.current ?? {};
    (next ?? previous)?.querySelector('button')?.focus();
    onMove(keyword);
  };
  return (
    <li ref={item} className={classes.item} data-archived={!keyword.isActive || undefined}>
      <span className={classes.word}>{keyword.keyword}</span>
      {files !== undefined && files > 0 && (
        <span className={classes.files} title={plural(files, 'file')}>
          {files.toLocaleString('en-US')}
          <span className="eg-visually-hidden"> {files === 1 ? 'file' : 'files'}</span>
        </span>
      )}
      {keyword.isDefault ? (
        <Tooltip label={LOCKED} events={events}>
          <button type="button" className={classes.button} aria-disabled="true" aria-label={LOCKED}>
            <IconLock size={14} stroke={1.8} aria-hidden="true" />
          </button>
        </Tooltip>
      ) : (
        <MoveButton keyword={keyword} onMove={move} />
      )}
    </li>
  );
}

function MoveButton({ keyword, onMove }: { keyword: Keyword; onMove: () => void }) {
  const { isActive, keyword: word } = keyword;
  const Icon = isActive ? IconX : IconArrowBackUp;
  return (
    <Tooltip label={isActive ? 'Archive' : 'Make active again'} events={events}>
      <button
        type="button"
        className={classes.button}
        aria-label={isActive ? `Archive ${word}` : `Make ${word} active again`}
        onClick={onMove}
      >
        <Icon size={15} stroke={1.8} aria-hidden="true" />
      </button>
    </Tooltip>
  );
}
