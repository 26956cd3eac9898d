import { Page } from '../components/page.tsx';
import { Connector } from '../features/connector/components/connector.tsx';

export function ConnectorPage() {
  return (
    <Page
      title="Connector"
      lead="A small program for your desktop that keeps folders in step with your files here."
      width="text"
    >
      <Connector />
    </Page>
  );
}
