import { Button, Text, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import copyField from '../../../components/copy-field.module.css';
import head from '../../../components/list-head.module.css';
import { Panel } from '../../../components/panel.tsx';
import { copyText } from '../../../browser/copy-text.ts';
import { mcpAddress } from '../../../browser/mcp-address.ts';
import classes from './assistants.module.css';

/** How assistants such as Claude, ChatGPT, Cursor and VS Code are connected with these files. */
export function Assistants() {
  const titleId = useId();
  const address = mcpAddress();
  const copy = () =>
    void copyText(address, {
      done: 'The address is copied.',
      failed: 'The address was not copied',
    });
  return (
    <section aria-labelledby={titleId}>
      <div className={head.head}>
        <h2 className={head.title} id={titleId}>
          Assistants
        </h2>
      </div>
      <Panel
        title="Connect an assistant (MCP)"
        lead="Claude, ChatGPT, Cursor, VS Code and others can search your files, ask them and keep notes in them. They delete nothing."
      >
        <div className={`${copyField.line} ${classes.address}`}>
          <TextInput
            className={copyField.field ?? ''}
            label="Address for your assistant"
            value={address}
            readOnly
            spellCheck={false}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Button
            className={copyField.copy ?? ''}
            leftSection={<IconCopy size={16} stroke={1.8} />}
            onClick={copy}
          >
            Copy
          </Button>
        </div>
        <Text className={classes.text ?? ''} maw="68ch" mt={16} fz={14} c="dimmed">
          Given the address alone, an assistant asks you in your browser whether it may. One that
          cannot takes one of your <Link to={`${paths.api}#api-keys`}>API keys</Link>; a key that
          only reads is enough for all but keeping notes.{' '}
          <Link to={`${paths.documentation}#mcp`}>How to connect each of them</Link>
        </Text>
      </Panel>
    </section>
  );
}
