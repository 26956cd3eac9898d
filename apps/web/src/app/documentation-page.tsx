import { Page } from '../components/page.tsx';
import { Documentation } from '../features/documentation/components/documentation.tsx';

export function DocumentationPage() {
  return (
    <Page
      title="Documentation"
      lead="How to use Engram, and how to reach it from your own programs."
    >
      <Documentation />
    </Page>
  );
}
