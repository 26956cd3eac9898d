import { createBrowserRouter, type RouteObject } from 'react-router';
import { Splash } from '../components/splash.tsx';
import { paths } from './paths.ts';
import { RootLayout } from './root-layout.tsx';
import { RouteError } from './route-error.tsx';

type Loader = NonNullable<RouteObject['lazy']>;

const blogPage: Loader = async () => ({ Component: (await import('./blog-page.tsx')).BlogPage });
const devicePage: Loader = async () => ({
  Component: (await import('./device-page.tsx')).DevicePage,
});
const documentationPage: Loader = async () => ({
  Component: (await import('./documentation-page.tsx')).DocumentationPage,
});
const connectorPage: Loader = async () => ({
  Component: (await import('./connector-page.tsx')).ConnectorPage,
});
const connectPage: Loader = async () => ({
  Component: (await import('./connect-page.tsx')).ConnectPage,
});
const connectRefusedPage: Loader = async () => ({
  Component: (await import('./connect-refused-page.tsx')).ConnectRefusedPage,
});
const contactPage: Loader = async () => ({
  Component: (await import('./contact-page.tsx')).ContactPage,
});
const faqPage: Loader = async () => ({
  Component: (await import('./faq-page.tsx')).FaqPage,
});
const featuresPage: Loader = async () => ({
  Component: (await import('./features-page.tsx')).FeaturesPage,
});
const filesPage: Loader = async () => ({ Component: (await import('./files-page.tsx')).FilesPage });
const historyPage: Loader = async () => ({
  Component: (await import('./history-page.tsx')).HistoryPage,
});
const homePage: Loader = async () => ({ Component: (await import('./home-page.tsx')).HomePage });
const keywordsPage: Loader = async () => ({
  Component: (await import('./keywords-page.tsx')).KeywordsPage,
});
const loginPage: Loader = async () => ({ Component: (await import('./login-page.tsx')).LoginPage });
const messagePage: Loader = async () => ({
  Component: (await import('./message-page.tsx')).MessagePage,
});
const pricingPage: Loader = async () => ({
  Component: (await import('./pricing-page.tsx')).PricingPage,
});
const privacyPage: Loader = async () => ({
  Component: (await import('./privacy-page.tsx')).PrivacyPage,
});
const profilePage: Loader = async () => ({
  Component: (await import('./profile-page.tsx')).ProfilePage,
});
const questionsPage: Loader = async () => ({
  Component: (await import('./questions-page.tsx')).QuestionsPage,
});
const searchPage: Loader = async () => ({
  Component: (await import('./search-page.tsx')).SearchPage,
});
const settingsPage: Loader = async () => ({
  Component: (await import('./settings-page.tsx')).SettingsPage,
});
const sharePage: Loader = async () => ({ Component: (await import('./share-page.tsx')).SharePage });
const shareAgainPage: Loader = async () => ({
  Component: (await import('./share-again-page.tsx')).ShareAgainPage,
});
const sharedAnswerPage: Loader = async () => ({
  Component: (await import('./shared-answer-page.tsx')).SharedAnswerPage,
});
const sourcePage: Loader = async () => ({
  Component: (await import('./source-page.tsx')).SourcePage,
});
const termsPage: Loader = async () => ({ Component: (await import('./terms-page.tsx')).TermsPage });

const publicLayout: Loader = async () => ({
  Component: (await import('./public-layout.tsx')).PublicLayout,
});
const signedInLayout: Loader = async () => ({
  Component: (await import('./signed-in-layout.tsx')).SignedInLayout,
});

/** Every page. Each is loaded when it is first opened; pages below the signed-in layout need a token. */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: Splash,
    children: [
      { path: paths.login, lazy: loginPage },
      { path: paths.questions, lazy: questionsPage },
      { path: paths.sharedAnswer, lazy: sharedAnswerPage },
      { path: paths.connect, lazy: connectPage },
      { path: paths.connectRefused, lazy: connectRefusedPage },
      { path: paths.device, lazy: devicePage },
      {
        lazy: publicLayout,
        children: [
          { path: paths.home, lazy: homePage },
          { path: paths.privacy, lazy: privacyPage },
          { path: paths.terms, lazy: termsPage },
          { path: paths.shareAgain, lazy: shareAgainPage },
          { path: paths.contact, lazy: contactPage },
          { path: paths.features, lazy: featuresPage },
          { path: paths.blog, lazy: blogPage },
          // A post's address that was cut short.
          { path: `${paths.blog}/:username`, lazy: blogPage },
          { path: paths.blogPost, lazy: blogPage },
        ],
      },
      {
        lazy: signedInLayout,
        children: [
          { path: paths.search, lazy: searchPage },
          { path: paths.history, lazy: historyPage },
          { path: paths.files, lazy: filesPage },
          { path: paths.keywords, lazy: keywordsPage },
          { path: paths.share, lazy: sharePage },
          { path: paths.documentation, lazy: documentationPage },
          { path: paths.profile, lazy: profilePage },
          { path: paths.api, lazy: settingsPage },
          { path: paths.pricing, lazy: pricingPage },
          { path: paths.message, lazy: messagePage },
          { path: paths.faq, lazy: faqPage },
          { path: paths.connector, lazy: connectorPage },
          { path: paths.source, lazy: sourcePage },
        ],
      },
    ],
  },
];

export const createRouter = (): ReturnType<typeof createBrowserRouter> =>
  createBrowserRouter(routes);
