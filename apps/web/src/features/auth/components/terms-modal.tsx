import { updateProfile } from '@engram/contract/browser';
import { Button, Paper, Text } from '@mantine/core';
import { useAction } from '../../../api/use-action.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { Prose } from '../../../components/prose.tsx';
import { messageOf } from '../../../components/notify.ts';
import { TermsText } from './terms-text.tsx';

interface TermsModalProps {
  opened: boolean;
  onAgreed: () => void;
}

/** Stands in the way until the terms are accepted. */
export function TermsModal({ opened, onAgreed }: TermsModalProps) {
  const agree = useAction(updateProfile, { onSuccess: onAgreed });
  return (
    <Dialog
      opened={opened}
      onClose={() => undefined}
      title="Terms and Conditions"
      size={620}
      locked
    >
      <Paper
        withBorder
        mah="min(56dvh, 520px)"
        px={18}
        py={14}
        bg="var(--eg-body)"
        style={{ overflowY: 'auto' }}
      >
        <Prose size="sm">
          <TermsText level={3} newTab />
        </Prose>
      </Paper>
      <DialogFoot
        words={
          agree.isError && (
            <Text fz="sm" c="red" role="alert">
              Your agreement could not be saved. {messageOf(agree.error)}
            </Text>
          )
        }
      >
        <Button
          size="md"
          data-autofocus
          loading={agree.isPending || agree.isSuccess}
          onClick={() => agree.mutate({ body: { isAgreedTerms: true } })}
        >
          Agree
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
