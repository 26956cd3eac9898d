import { paths } from './paths.ts';

/** The file name of a page in this folder. */
type PageFile = `${string}-page.tsx`;
/** The file name of a layout in this folder. */
export type LayoutFile = 'public-layout.tsx' | 'signed-in-layout.tsx';

interface Page {
  file: PageFile;
  /** The signed-in layout redirects visitors to the sign-in page. */
  layout?: LayoutFile;
  /** A second address of the page, without links to it. */
  also?: string;
}

const open = (file: PageFile): Page => ({ file, layout: 'public-layout.tsx' });
const signedIn = (file: PageFile): Page => ({ file, layout: 'signed-in-layout.tsx' });

/**
 * The page at each address. The router and the heads of the built pages are made from this table.
 * It does not import the pages, so that the build can import it.
 */
export const pages: Record<keyof typeof paths, Page> = {
  login: { file: 'login-page.tsx' },
  questions: { file: 'questions-page.tsx' },
  sharedAnswer: { file: 'shared-answer-page.tsx' },
  connect: { file: 'connect-page.tsx' },
  connectRefused: { file: 'connect-refused-page.tsx' },
  device: { file: 'device-page.tsx' },
  home: open('home-page.tsx'),
  privacy: open('privacy-page.tsx'),
  terms: open('terms-page.tsx'),
  shareAgain: open('share-again-page.tsx'),
  contact: open('contact-page.tsx'),
  features: open('features-page.tsx'),
  blog: open('blog-page.tsx'),
  // A truncated address of a post shows the blog.
  blogPost: { ...open('blog-page.tsx'), also: `${paths.blog}/:username` },
  search: signedIn('search-page.tsx'),
  history: signedIn('history-page.tsx'),
  files: signedIn('files-page.tsx'),
  keywords: signedIn('keywords-page.tsx'),
  share: signedIn('share-page.tsx'),
  documentation: signedIn('documentation-page.tsx'),
  profile: signedIn('profile-page.tsx'),
  api: signedIn('settings-page.tsx'),
  pricing: signedIn('pricing-page.tsx'),
  message: signedIn('message-page.tsx'),
  faq: signedIn('faq-page.tsx'),
  connector: signedIn('connector-page.tsx'),
  source: signedIn('source-page.tsx'),
};
