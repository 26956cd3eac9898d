import { Clip } from '../../../components/clip.tsx';
import { sections } from '../contents.ts';
import { DeveloperTools } from './developer-tools.tsx';
import { TextSection } from './section.tsx';

const howItWorks = sections.find(({ id }) => id === 'how-it-works')?.children ?? [];

/** What Engram is, and how to use it. */
export const ProductPart = () => (
  <>
    <TextSection id="introduction" />
    <TextSection id="quick-start">
      <Clip name="engram-wide" label="From a file to the sentence that answers">
        Three files go into the upload panel and are ready a moment later. A question is typed, and
        the answer is the section of the lease with its page. A click on it opens the lease at that
        page, with the sentence marked.
      </Clip>
    </TextSection>
    <TextSection id="how-it-works">
      {howItWorks.map(({ id }) => (
        <TextSection key={id} id={id} level={3} />
      ))}
    </TextSection>
    <DeveloperTools />
    <TextSection id="pricing" />
  </>
);
