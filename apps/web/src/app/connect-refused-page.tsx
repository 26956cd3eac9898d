import { IconPlugConnectedX } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { SpokenHeading } from '../components/page.tsx';
import { ConnectLayout } from './card-layout.tsx';

/** Messages by error code. Other text of the address is not shown. */
const reasons: Readonly<Record<string, string>> = {
  invalid_client:
    'Engram does not know the program, or could not read what it says of itself. Connect it again in the program.',
  invalid_redirect_uri:
    'The program wants your answer sent to an address that it did not name before. Nothing was sent there.',
  consent_required:
    'The program asked to be connected without asking you. Nothing was sent there. Connect it again in the program.',
  server_error: 'Something went wrong on the server. Please begin again in the program.',
};

const OTHER = 'The request is over, or not complete. Please begin again in the program.';

export default function ConnectRefusedPage() {
  useDocumentTitle('Not connected');
  const [params] = useSearchParams();
  return (
    <ConnectLayout>
      <SpokenHeading>Not connected</SpokenHeading>
      <EmptyState
        icon={<IconPlugConnectedX size={24} stroke={1.6} />}
        title="The program was not connected"
        text={reasons[params.get('error') ?? ''] ?? OTHER}
      />
    </ConnectLayout>
  );
}
