import { Button, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { Ref } from 'react';
import classes from './copy-field.module.css';

interface CopyFieldProps {
  label: string;
  labeled?: boolean;
  value: string;
  onCopy: () => void;
  copied?: boolean;
  copy?: string;
  copyRef?: Ref<HTMLButtonElement>;
}

export function CopyField(props: CopyFieldProps) {
  const { label, labeled = false, value, onCopy, copied = false, copy = 'Copy', copyRef } = props;
  return (
    <Group gap={8} align="flex-end">
      <TextInput
        className={classes.field ?? ''}
        flex="1 1 260px"
        miw={0}
        {...{ [labeled ? 'label' : 'aria-label']: label }}
        value={value}
        readOnly
        spellCheck={false}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        ref={copyRef}
        className={classes.copy ?? ''}
        data-autofocus
        leftSection={
          copied ? <IconCheck size={16} stroke={2} /> : <IconCopy size={16} stroke={1.8} />
        }
        onClick={onCopy}
      >
        {copy}
      </Button>
    </Group>
  );
}
