import { paths } from './paths.ts';

/** The path of a page's file in `src`. Its default export is the page. */
type PageFile = `app/${string}-page.tsx` | `features/${string}/components/${string}-page.tsx`;
export type LayoutFile = 'app/public-layout.tsx' | 'app/signed-in-layout.tsx';

interface Page {
  file: PageFile;
  /** The signed-in layout redirects visitors to the sign-in page. */
  layout?: LayoutFile;
  /** Another address of the page, to which nothing links. */
  alias?: string;
}

const open = (file: PageFile): Page => ({ file, layout: 'app/public-layout.tsx' });
const signedIn = (file: PageFile): Page => ({ file, layout: 'app/signed-in-layout.tsx' });

/**
 * The page of each address, for the router and the heads of the built pages. It does not import the
 * pages, so that the build can import it.
 */
export const pages: Record<keyof typeof paths, Page> = {
  login: { file: 'app/login-page.tsx' },
  questions: { file: 'app/questions-page.tsx' },
  sharedAnswer: { file: 'features/shares/components/shared-answer-page.tsx' },
  connect: { file: 'app/connect-page.tsx' },
  connectRefused: { file: 'app/connect-refused-page.tsx' },
  device: { file: 'app/device-page.tsx' },
  home: open('app/home-page.tsx'),
  privacy: open('app/privacy-page.tsx'),
  terms: open('app/terms-page.tsx'),
  shareAgain: open('app/share-again-page.tsx'),
  contact: open('features/site/components/contact-page.tsx'),
  features: open('features/site/components/features-page.tsx'),
  blog: open('features/blog/components/blog-page.tsx'),
  // A truncated address of a post shows the blog.
  blogPost: {
    ...open('features/blog/components/blog-page.tsx'),
    alias: `${paths.blog}/:username`,
  },
  search: signedIn('app/search-page.tsx'),
  history: signedIn('app/history-page.tsx'),
  files: signedIn('app/files-page.tsx'),
  keywords: signedIn('features/keywords/components/keywords-page.tsx'),
  share: signedIn('app/share-page.tsx'),
  documentation: signedIn('features/documentation/components/documentation-page.tsx'),
  profile: signedIn('app/profile-page.tsx'),
  api: signedIn('app/settings-page.tsx'),
  pricing: signedIn('app/pricing-page.tsx'),
  message: signedIn('features/plans/components/message-page.tsx'),
  faq: signedIn('features/site/components/faq-page.tsx'),
  connector: signedIn('features/connector/components/connector-page.tsx'),
  source: signedIn('app/source-page.tsx'),
};
