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
        lead="Claude, ChatGPT, Cursor, VS Code and others can search your files, ask questions and add notes. They cannot delete anything."
      >
        <Box maw={640}>
          <CopyField labeled label="Address for your assistant" value={address} onCopy={copy} />
        </Box>
        <Text className={classes.text ?? ''} maw="68ch" mt={16} fz={14} c="dimmed">
          With this address, an assistant asks for access in your browser. If it cannot, use one of
          your <Link to={`${paths.api}#api-keys`}>API keys</Link>. A read-only key is enough for
          everything except adding notes.{' '}
          <Link to={`${paths.documentation}#mcp`}>How to connect each of them</Link>
        </Text>
      </Panel>
    </ListSection>
  );
}
