import { Page } from '../components/page.tsx';
import { Contact } from '../features/site/components/contact.tsx';

export function ContactPage() {
  return (
    <Page title="Contact" lead="Something is not right, or not here yet? Say so." width="site">
      <Contact />
    </Page>
  );
}
