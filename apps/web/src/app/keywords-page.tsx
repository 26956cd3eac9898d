import { Page } from '../components/page.tsx';
import { Keywords } from '../features/keywords/components/keywords.tsx';

export function KeywordsPage() {
  return (
    <Page title="Keywords" lead="Words that group your files, and narrow a search to some of them.">
      <Keywords />
    </Page>
  );
}
