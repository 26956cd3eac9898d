import { Page } from '../components/page.tsx';
import { Features } from '../features/site/components/features.tsx';

export function FeaturesPage() {
  return (
    <Page
      title="Our Features"
      lead="Everything you keep, in one place that answers, with the page it comes from."
      width="site"
    >
      <Features />
    </Page>
  );
}
