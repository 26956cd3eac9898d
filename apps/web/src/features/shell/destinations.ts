import {
  IconAdjustments,
  IconBook,
  IconClock,
  IconCreditCard,
  IconFile,
  IconKey,
  IconReceipt,
  IconSearch,
  IconShieldCog,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { DELETE_ACCOUNT, paths } from '../../app/paths.ts';

interface Destination {
  to: string;
  label: string;
  icon: Icon;
  /** The key after `g`. */
  key: string;
}

export const destinations: readonly Destination[] = [
  { to: paths.search, label: 'Search', icon: IconSearch, key: 's' },
  { to: paths.history, label: 'History', icon: IconClock, key: 'h' },
  { to: paths.keywords, label: 'Keywords', icon: IconTag, key: 'k' },
  { to: paths.files, label: 'Files', icon: IconFile, key: 'f' },
  { to: paths.documentation, label: 'Doc', icon: IconBook, key: 'd' },
  { to: paths.profile, label: 'My Profile', icon: IconUser, key: 'p' },
  { to: paths.api, label: 'Api', icon: IconKey, key: 'a' },
];

export const deleteAccountLink = { pathname: paths.profile, hash: DELETE_ACCOUNT };

export const siteLinks: readonly { to: string; label: string }[] = [
  { to: paths.home, label: 'Home' },
  { to: paths.features, label: 'Features' },
  { to: paths.connector, label: 'Connector' },
  { to: paths.documentation, label: 'Doc' },
  { to: paths.pricing, label: 'Pricing' },
  { to: paths.faq, label: 'FAQs' },
  { to: paths.blog, label: 'Blog' },
];

/** The navigation state that opens a section of the profile page. */
export interface ProfileState {
  section: 'admin' | 'yourpreferences' | 'billing' | 'invoices';
}

interface ProfileSection extends ProfileState {
  label: string;
  icon: Icon;
  admin?: boolean;
}

/** Sections of the profile page that the menu of small screens contains. */
export const profileSections: readonly ProfileSection[] = [
  { section: 'admin', label: 'Admin', icon: IconShieldCog, admin: true },
  { section: 'yourpreferences', label: 'Your Preferences', icon: IconAdjustments },
  { section: 'billing', label: 'Billing', icon: IconCreditCard },
  { section: 'invoices', label: 'Invoices', icon: IconReceipt },
];
