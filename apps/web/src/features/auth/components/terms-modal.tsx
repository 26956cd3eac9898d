import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
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
    <Modal
      opened={opened}
      onClose={() => undefined}
      title="Terms and Conditions"
      size={620}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className={classes.text}>
        <TermsText level={3} newTab />
      </div>
      <Group justify="flex-end" wrap="nowrap" mt={16}>
        {agree.isError && (
          <Text flex={1} fz="sm" c="red" role="alert">
            Your agreement could not be saved. {messageOf(agree.error)}
          </Text>
        )}
        <Button
          size="md"
          data-autofocus
          loading={agree.isPending || agree.isSuccess}
          onClick={() => agree.mutate()}
        >
          Agree
        </Button>
      </Group>
    </Modal>
  );
}
