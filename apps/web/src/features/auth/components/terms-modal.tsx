import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { messageOf } from '../../../components/notify.ts';
import { agreeToTerms } from '../api/agree-to-terms.ts';
import classes from './terms-modal.module.css';
import { TermsText } from './terms-text.tsx';

interface TermsModalProps {
  opened: boolean;
  onAgreed: () => void;
}

/** Stands in the way until the terms are accepted. */
export function TermsModal({ opened, onAgreed }: TermsModalProps) {
  const agree = useMutation({ mutationFn: agreeToTerms, onSuccess: onAgreed });
  return (
    <Dialog
      opened={opened}
      onClose={() => undefined}
      title="Terms and Conditions"
      size={620}
      locked
    >
      <div className={classes.text}>
        <TermsText level={3} newTab />
      </div>
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
          onClick={() => agree.mutate()}
        >
          Agree
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
