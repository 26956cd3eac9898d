import {
  IconBook,
  IconClock,
  IconFile,
  IconKey,
  IconSearch,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { DELETE_ACCOUNT, paths } from '../../app/paths.ts';

/** A page of the app in its menus. */
export interface Place {
  to: string;
  label: string;
  icon: Icon;
  /** The key after `g`. */
  key: string;
}

/** The pages of the app, in the order of the menus. */
export const places: readonly Place[] = [
  { to: paths.search, label: 'Search', icon: IconSearch, key: 's' },
  { to: paths.history, label: 'History', icon: IconClock, key: 'h' },
  { to: paths.keywords, label: 'Keywords', icon: IconTag, key: 'k' },
  { to: paths.files, label: 'Files', icon: IconFile, key: 'f' },
  { to: paths.documentation, label: 'Doc', icon: IconBook, key: 'd' },
  { to: paths.profile, label: 'My Profile', icon: IconUser, key: 'p' },
  { to: paths.api, label: 'Api', icon: IconKey, key: 'a' },
];

export const deleteAccount = { pathname: paths.profile, hash: DELETE_ACCOUNT };

/** The pages around the app, as in the header and the menu. */
export const siteLinks: readonly { to: string; label: string }[] = [
  { to: paths.home, label: 'Home' },
  { to: paths.features, label: 'Features' },
  { to: paths.connector, label: 'Connector' },
  { to: paths.documentation, label: 'Doc' },
  { to: paths.pricing, label: 'Pricing' },
  { to: paths.faq, label: 'FAQs' },
  { to: paths.blog, label: 'Blog' },
];
