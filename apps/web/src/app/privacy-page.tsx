import { useAppSettings } from '../api/settings.ts';
import { AppText } from '../components/app-text.tsx';
import { Page } from '../components/page.tsx';
import { Prose } from '../components/prose.tsx';
import privacy from './privacy.md?raw';

export default function PrivacyPage() {
  const { contactEmail } = useAppSettings();
  return (
    <Page
      title="Privacy Policy"
      lead="Engram runs on this server. Your files, questions and answers stay on it unless its operator has connected an outside service."
      width="text"
    >
      <Prose>
        <AppText values={{ contactEmail }}>{privacy}</AppText>
      </Prose>
    </Page>
  );
}
