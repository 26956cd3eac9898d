import { Menu } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useOpenedMenu } from '../use-opened-menu.ts';
import { MoreButton } from './row-buttons.tsx';

interface MoreKeywordsProps {
  keywords: readonly string[];
  /** The file's name. */
  name: string;
  onRemove: (keyword: string) => void;
}

/** The keywords behind the number, each of which can be taken from the file. */
export function MoreKeywords({ keywords, name, onRemove }: MoreKeywordsProps) {
  const { target, menu } = useOpenedMenu();
  return (
    <Menu position="bottom-start" closeOnItemClick={keywords.length === 1} {...menu}>
      <Menu.Target>
        <MoreButton ref={target} name={name} count={keywords.length} />
      </Menu.Target>
      <Menu.Dropdown mah={240} style={{ overflowY: 'auto' }}>
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
