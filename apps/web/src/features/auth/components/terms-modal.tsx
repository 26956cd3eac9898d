import { updateProfile } from '@engram/contract/browser';
import { Button, Paper } from '@mantine/core';
import { useAction } from '../../../api/use-action.ts';
import { AppText } from '../../../components/app-text.tsx';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { ErrorText } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { Prose } from '../../../components/prose.tsx';
import terms from '../terms.md?raw';

export default function TermsModal({ onAgreed }: { onAgreed: () => void }) {
  const agree = useAction(updateProfile, { onSuccess: onAgreed });
  return (
    <Dialog opened onClose={() => undefined} title="Terms and Conditions" size={620} locked>
      <Paper
        mah="min(56dvh, 520px)"
        px={18}
        py={14}
        bg="var(--eg-body)"
        style={{ overflowY: 'auto' }}
      >
        <Prose size="sm">
          <AppText level={3} target="_blank">
            {terms}
          </AppText>
        </Prose>
      </Paper>
      <DialogFoot
        words={
          <ErrorText>
            {agree.isError && `Your agreement could not be saved. ${messageOf(agree.error)}`}
          </ErrorText>
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
