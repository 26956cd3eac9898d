import {
  IconAdjustments,
  IconCreditCard,
  IconReceipt,
  IconShieldCog,
  type Icon,
} from '@tabler/icons-react';

/** What the profile page is told of the section that it is to open on, as navigation state. */
export interface ProfileState {
  section: 'admin' | 'yourpreferences' | 'billing' | 'invoices';
}

interface ProfileSection extends ProfileState {
  label: string;
  icon: Icon;
  /** Shown to administrators alone. */
  admin?: boolean;
}

/** The sections of the profile page that the menu of small screens leads to. */
export const profileSections: readonly ProfileSection[] = [
  { section: 'admin', label: 'Admin', icon: IconShieldCog, admin: true },
  { section: 'yourpreferences', label: 'Your Preferences', icon: IconAdjustments },
  { section: 'billing', label: 'Billing', icon: IconCreditCard },
  { section: 'invoices', label: 'Invoices', icon: IconReceipt },
];
