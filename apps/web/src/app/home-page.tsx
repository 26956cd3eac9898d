import { useNavigate } from 'react-router';
import { About } from '../features/landing/components/about.tsx';
import { Connectors } from '../features/landing/components/connectors.tsx';
import { DemoClip } from '../features/landing/components/demo-clip.tsx';
import { FeatureTabs } from '../features/landing/components/feature-tabs.tsx';
import { Hero } from '../features/landing/components/hero.tsx';
import { TryIt } from '../features/landing/components/try-it.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { scrollToTop } from '../browser/scroll-to-top.ts';
import { useUploadPanel } from '../uploads/upload-panel.ts';
import { useHasArtifacts, useSignedIn } from '../session/use-session.ts';
import classes from '../features/landing/components/landing.module.css';
import { paths } from './paths.ts';

/** The landing page, open to everybody. */
export function HomePage() {
  useDocumentTitle('Engram');
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const hasArtifacts = useHasArtifacts();
  const { open: openUpload } = useUploadPanel();

  const tryIt = (): void => {
    if (!signedIn) void navigate(paths.login);
    else if (hasArtifacts) void navigate(paths.search);
    else scrollToTop();
  };

  return (
    <div className={classes.page}>
      <Hero onUpload={openUpload} searchable={hasArtifacts} />
      <DemoClip />
      <FeatureTabs />
      <Connectors />
      <About />
      <TryIt onTry={tryIt} />
    </div>
  );
}
