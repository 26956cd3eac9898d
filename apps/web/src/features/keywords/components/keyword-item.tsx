import type { Keyword } from '@engram/contract';
import { ActionIcon, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconFile, IconLock, IconMessagePlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { filesWith, searchWith } from '../../../app/paths.ts';
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

/** A keyword with what can be done with it and to it. */
export function KeywordItem({ keyword, files, onMove }: KeywordItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const move = (): void => {
    // The keyword leaves this list: the focus goes on to its neighbour.
    const { nextElementSibling: next, previousElementSibling: previous } = item.current ?? {};
    (next ?? previous)?.querySelector<HTMLElement>('[data-end]')?.focus();
    onMove(keyword);
  };
  return (
    <li ref={item} className={classes.item} data-archived={!keyword.isActive || undefined}>
      <Uses keyword={keyword} files={files} />
      {keyword.isDefault ? (
        <EndButton label={LOCKED} tooltip={LOCKED} icon={IconLock} />
      ) : keyword.isActive ? (
        <EndButton
          label={`Archive ${keyword.keyword}`}
          tooltip="Archive"
          icon={IconX}
          onClick={move}
        />
      ) : (
        <EndButton
          label={`Make ${keyword.keyword} active again`}
          tooltip="Make active again"
          icon={IconArrowBackUp}
          onClick={move}
        />
      )}
    </li>
  );
}

/** The word itself, which opens what it is good for. */
function Uses({ keyword, files }: Pick<KeywordItemProps, 'keyword' | 'files'>) {
  const { keyword: word, isActive } = keyword;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.word}>
          <span className={classes.letters}>{word}</span>
          {files !== undefined && files > 0 && (
            <span className={classes.files} title={plural(files, 'file')}>
              {files.toLocaleString('en-US')}
              <span className="eg-visually-hidden"> {files === 1 ? 'file' : 'files'}</span>
            </span>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {isActive && (
          <Menu.Item
            component={Link}
            to={searchWith(word)}
            leftSection={<IconMessagePlus size={16} stroke={1.7} aria-hidden="true" />}
          >
            Ask with this keyword
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to={filesWith(word)}
          leftSection={<IconFile size={16} stroke={1.7} aria-hidden="true" />}
        >
          Show its files
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface EndButtonProps {
  label: string;
  tooltip: string;
  icon: typeof IconX;
  /** Without it the button only says why nothing can be done. */
  onClick?: () => void;
}

const EndButton = ({ label, tooltip, icon: EndIcon, onClick }: EndButtonProps) => (
  <Tooltip label={tooltip} events={events}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={30}
      aria-label={label}
      aria-disabled={onClick === undefined || undefined}
      data-end
      onClick={onClick}
    >
      <EndIcon size={15} stroke={1.8} aria-hidden="true" />
    </ActionIcon>
  </Tooltip>
);
