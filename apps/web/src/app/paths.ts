export const paths = {
  login: '/',
  home: '/home',
  search: '/search',
  history: '/history',
  keywords: '/keywords',
  files: '/allfiles',
  documentation: '/documentation',
  profile: '/profile',
  api: '/settings',
  questions: '/questions',
  pricing: '/pricing',
  message: '/message',
  faq: '/faq',
  connector: '/connector',
  privacy: '/privacy',
  terms: '/terms',
  contact: '/contact',
  features: '/features',
  blog: '/blog',
  blogPost: '/blog/:username/:slug',
  /** A place in a file, as linked by assistants. */
  source: '/source/:artifactId',
  sharedAnswer: '/shared/:id',
  connect: '/connect/:uid',
  /** For requests of programs that cannot be sent back. */
  connectRefused: '/connect/refused',
  device: '/device',
  share: '/share',
  shareAgain: '/share/again',
} as const;

export const ENTRY_PARAM = 'entry';

export const DELETE_ACCOUNT = '#delete-account';

export const searchWith = (keyword: string): string =>
  `${paths.search}?keyword=${encodeURIComponent(keyword)}`;

export const filesWith = (keyword: string): string =>
  `${paths.files}?keyword=${encodeURIComponent(keyword)}`;
