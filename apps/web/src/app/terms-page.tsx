import { Page } from '../components/page.tsx';
import { TermsText } from '../features/auth/components/terms-text.tsx';
import { Prose } from '../components/prose.tsx';

export function TermsPage() {
  return (
    <Page
      title="Terms and Conditions"
      lead="The terms of using this Engram server, in eight short sections."
      width="text"
    >
      <Prose>
        <TermsText level={2} />
      </Prose>
    </Page>
  );
}
