import { IconPlugConnectedX } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { SpokenHeading } from '../components/page.tsx';
import { ConnectLayout } from './card-layout.tsx';

/** Messages by error code. Other text of the address is not shown. */
const reasons: Readonly<Record<string, string>> = {
  invalid_client:
    'The program is unknown, or its description could not be read. Connect it again in the program.',
  invalid_redirect_uri:
    'The program requested an answer at an address that it has not registered. Nothing was sent there.',
  consent_required:
    'The program tried to connect without your consent. Nothing was sent there. Connect it again in the program.',
  server_error: 'Something went wrong on the server. Please start again in the program.',
};

const OTHER = 'The request has expired or is incomplete. Please start again in the program.';

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
