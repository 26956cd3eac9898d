import { Anchor, Box, Code, Text } from '@mantine/core';
import { paths } from '../../../app/paths.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { ListSection } from '../../../components/lists.tsx';
import { copyText } from '../../../components/notify.ts';
import { Panel } from '../../../components/panel.tsx';

/** Opens the upload panel in a new window with the address of the current page. */
const bookmarkOf = (origin: string): string =>
  `javascript:void open('${origin}${paths.share}?url='+encodeURIComponent(location.href))`;

export function Bookmarklet() {
  const bookmark = bookmarkOf(window.location.origin);
  const copy = () =>
    void copyText(bookmark, {
      done: 'The bookmark is copied.',
      failed: 'The bookmark was not copied',
    });
  return (
    <ListSection title="Browser">
      <Panel
        title="Save web pages with a bookmark"
        lead="Click the bookmark on any page to open Engram with its address, ready to save."
      >
        <Text maw="68ch" mb={16} fz={14} c="dimmed">
          Drag{' '}
          <Anchor
            inherit
            fw={600}
            // React rejects `javascript:` addresses.
            ref={(link) => link?.setAttribute('href', bookmark)}
            onClick={(event) => event.preventDefault()}
          >
            Save to Engram
          </Anchor>{' '}
          to your bookmarks bar, or add a bookmark with this address. On a phone, install Engram and
          share pages to it. The browser extension also saves pages behind a login, selections and
          pictures: <Code>npm run clipper</Code> builds it on the server.
        </Text>
        <Box maw={640}>
          <CopyField labeled label="Address of the bookmark" value={bookmark} onCopy={copy} />
        </Box>
      </Panel>
    </ListSection>
  );
}
