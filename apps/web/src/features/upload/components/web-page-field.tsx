import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { isWebAddress, useSavePage } from '../../../artifacts/save-page.ts';

interface WebPageFieldProps {
  keywords: readonly string[];
  disabled: boolean;
}

/** Saves the page of an address at once, with the keywords of the upload. */
export function WebPageField({ keywords, disabled }: WebPageFieldProps) {
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const page = useSavePage();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWebAddress(url)) {
      setProblem('A web address begins with https:// or http://.');
      return;
    }
    const body = { url: url.trim(), keywords: [...keywords] };
    page.mutate({ body }, { onSuccess: () => setUrl('') });
  };
  return (
    <form onSubmit={save} noValidate>
      <TextInput
        type="url"
        label="Web page"
        placeholder="https://"
        autoComplete="off"
        maxLength={2000}
        value={url}
        error={problem}
        readOnly={page.isPending}
        disabled={disabled}
        onChange={(event) => {
          setUrl(event.currentTarget.value);
          setProblem(null);
        }}
        rightSectionWidth={112}
        rightSection={
          <Button
            type="submit"
            variant="default"
            size="xs"
            loading={page.isPending}
            disabled={disabled || url.trim() === ''}
          >
            Save page
          </Button>
        }
      />
    </form>
  );
}
