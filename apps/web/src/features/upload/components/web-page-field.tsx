import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type Ref } from 'react';
import { useUploadQueue, useUploads } from '../upload-queue.ts';
import { useSavePage } from '../../../artifacts/save-page.ts';
import { isWebAddress } from '../../../artifacts/web-address.ts';

interface WebPageFieldProps {
  formRef: Ref<HTMLFormElement>;
  disabled: boolean;
}

/** Saves the page of an address, with the keywords of the upload. */
export function WebPageField({ formRef, disabled }: WebPageFieldProps) {
  const queue = useUploadQueue();
  const { page: value, keywords } = useUploads().form;
  const write = (address: string): void => queue.write({ page: address });
  const [problem, setProblem] = useState<string | null>(null);
  const page = useSavePage();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWebAddress(value)) {
      setProblem('A web address must begin with https:// or http://.');
      return;
    }
    const body = { url: value.trim(), keywords: [...keywords] };
    page.mutate({ body }, { onSuccess: () => write('') });
  };
  return (
    <form ref={formRef} onSubmit={save} noValidate>
      <TextInput
        type="url"
        label="Web page"
        placeholder="https://"
        autoComplete="off"
        maxLength={2000}
        value={value}
        error={problem}
        readOnly={page.isPending}
        disabled={disabled}
        onChange={(event) => {
          write(event.currentTarget.value);
          setProblem(null);
        }}
        rightSectionWidth={112}
        rightSection={
          <Button
            type="submit"
            variant="default"
            size="xs"
            loading={page.isPending}
            disabled={disabled || value.trim() === ''}
          >
            Save page
          </Button>
        }
      />
    </form>
  );
}
