/** Every address of the app beside the function that builds it. */
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
  /** A place of a file, to which assistants link. */
  source: '/source/:artifactId',
  /** One answer, for whoever has its link. */
  sharedAnswer: '/shared/:id',
  /** A program asks to be let in; the authorization server sends browsers here. */
  connect: '/connect/:uid',
  /** Said where a program's request leads nowhere. */
  connectRefused: '/connect/refused',
  /** Where the code is typed that a device shows. */
  device: '/device',
  /** What was shared from another app, and the upload panel. */
  share: '/share',
  /** Said to those whose share could not be taken over. */
  shareAgain: '/share/again',
} as const;

/** Names the question of an address that shows an answer. */
export const ENTRY_PARAM = 'entry';

/** What the profile's address ends in while it asks whether the account is to be deleted. */
export const DELETE_ACCOUNT = '#delete-account';

/** The search, narrowed to the files that have a keyword. */
export const searchWith = (keyword: string): string =>
  `${paths.search}?keyword=${encodeURIComponent(keyword)}`;

/** The files that have a keyword. */
export const filesWith = (keyword: string): string =>
  `${paths.files}?keyword=${encodeURIComponent(keyword)}`;
