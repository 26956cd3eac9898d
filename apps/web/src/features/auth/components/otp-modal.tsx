import { ApiError } from '@engram/client';
import type { Session } from '@engram/contract';
import { CODE_USED_UP, validateCode } from '@engram/contract/browser';
import { Text } from '@mantine/core';
import { api } from '../../../api/api.ts';
import { deviceLabel, currentPlaceName } from '../../../browser/device.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { messageOf } from '../../../components/notify.ts';
import { CodeForm } from './code-form.tsx';

const FAILED = 'OTP verification failed. Please try again.';

/** Adds the server's message if it says more than 'wrong code'. */
function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return `${FAILED} ${messageOf(error)}`;
  if (error.code === CODE_USED_UP) return messageOf(error);
  return [400, 401].includes(error.status) ? FAILED : `${FAILED} ${messageOf(error)}`;
}

function maskEmail(email: string): string {
  const atSign = email.lastIndexOf('@');
  const [first, second, ...others] = email.slice(0, atSign);
  return `${first}${others.length > 1 ? second : ''}•••${email.slice(atSign)}`;
}

interface OtpModalProps {
  opened: boolean;
  /** The number of sent codes. The form is reset with each one. */
  attempt: number;
  email: string;
  useNewest: boolean;
  onSignedIn: (session: Session) => void;
  onClose: () => void;
}

export default function OtpModal(props: OtpModalProps) {
  const { opened, attempt, email, useNewest, onSignedIn, onClose } = props;
  const verify = async (code: string): Promise<void> => {
    const body = { email, code, location: currentPlaceName(), device: deviceLabel() };
    onSignedIn((await api.call(validateCode, { body })).data);
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="OTP Verification"
      size={420}
      closeOnClickOutside={false}
    >
      <CodeForm
        key={attempt}
        email={email}
        useNewest={useNewest}
        verify={verify}
        failureText={failureText}
        submitLabel="Verify"
      >
        Enter 6 digit code sent to your email{' '}
        <Text span fw={600} c="var(--eg-ink)" style={{ whiteSpace: 'nowrap' }}>
          {maskEmail(email)}
        </Text>
      </CodeForm>
    </Dialog>
  );
}
