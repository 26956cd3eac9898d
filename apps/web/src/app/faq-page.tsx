import { Page } from '../components/page.tsx';
import { Faq } from '../features/site/components/faq.tsx';

export function FaqPage() {
  return (
    <Page
      title="FAQs"
      lead="What people ask about Engram. What your files say, Engram answers itself."
    >
      <Faq />
    </Page>
  );
}
