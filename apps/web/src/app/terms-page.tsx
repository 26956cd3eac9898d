import { AppText } from '../components/app-text.tsx';
import { Page } from '../components/page.tsx';
import { Prose } from '../components/prose.tsx';
import terms from '../features/auth/terms.md?raw';

export default function TermsPage() {
  return (
    <Page
      title="Terms and Conditions"
      lead="The terms of using this Engram server, in eight short sections."
      width="text"
    >
      <Prose>
        <AppText>{terms}</AppText>
      </Prose>
    </Page>
  );
}
