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

const publicPage = (file: PageFile): Page => ({ file, layout: 'app/public-layout.tsx' });
const signedInPage = (file: PageFile): Page => ({ file, layout: 'app/signed-in-layout.tsx' });

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
  home: publicPage('app/home-page.tsx'),
  privacy: publicPage('app/privacy-page.tsx'),
  terms: publicPage('app/terms-page.tsx'),
  shareAgain: publicPage('app/share-again-page.tsx'),
  contact: publicPage('features/site/components/contact-page.tsx'),
  features: publicPage('features/site/components/features-page.tsx'),
  blog: publicPage('features/blog/components/blog-page.tsx'),
  // A truncated address of a post shows the blog.
  blogPost: {
    ...publicPage('features/blog/components/blog-page.tsx'),
    alias: `${paths.blog}/:username`,
  },
  search: signedInPage('app/search-page.tsx'),
  history: signedInPage('app/history-page.tsx'),
  files: signedInPage('app/files-page.tsx'),
  keywords: signedInPage('features/keywords/components/keywords-page.tsx'),
  share: signedInPage('app/share-page.tsx'),
  documentation: signedInPage('features/documentation/components/documentation-page.tsx'),
  profile: signedInPage('app/profile-page.tsx'),
  api: signedInPage('app/settings-page.tsx'),
  pricing: signedInPage('app/pricing-page.tsx'),
  message: signedInPage('features/plans/components/message-page.tsx'),
  faq: signedInPage('features/site/components/faq-page.tsx'),
  connector: signedInPage('features/connector/components/connector-page.tsx'),
  source: signedInPage('app/source-page.tsx'),
};
