import { Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { ListSection } from '../../../components/lists.tsx';
import { Panel } from '../../../components/panel.tsx';
import { copyText } from '../../../components/notify.ts';
import classes from './assistants.module.css';

export function Assistants() {
  const address = `${window.location.origin}/mcp`;
  const copy = () =>
    void copyText(address, {
      done: 'The address is copied.',
      failed: 'The address was not copied',
    });
  return (
    <ListSection title="Assistants">
      <Panel
        title="Connect an assistant (MCP)"
        lead="Claude, ChatGPT, Cursor, VS Code and others can search your files, ask them and keep notes in them. They delete nothing."
      >
        <Box maw={640}>
          <CopyField labelled label="Address for your assistant" value={address} onCopy={copy} />
        </Box>
        <Text className={classes.text ?? ''} maw="68ch" mt={16} fz={14} c="dimmed">
          Given the address alone, an assistant asks you in your browser whether it may. One that
          cannot takes one of your <Link to={`${paths.api}#api-keys`}>API keys</Link>; a key that
          only reads is enough for all but keeping notes.{' '}
          <Link to={`${paths.documentation}#mcp`}>How to connect each of them</Link>
        </Text>
      </Panel>
    </ListSection>
  );
}
