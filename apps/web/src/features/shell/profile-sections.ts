import {
  IconAdjustments,
  IconCreditCard,
  IconReceipt,
  IconShieldCog,
  type Icon,
} from '@tabler/icons-react';

/** The navigation state that opens a section of the profile page. */
export interface ProfileState {
  section: 'admin' | 'yourpreferences' | 'billing' | 'invoices';
}

interface ProfileSection extends ProfileState {
  label: string;
  icon: Icon;
  /** Visible to admins only. */
  admin?: boolean;
}

/** The sections of the profile page that are also in the menu of small screens. */
export const profileSections: readonly ProfileSection[] = [
  { section: 'admin', label: 'Admin', icon: IconShieldCog, admin: true },
  { section: 'yourpreferences', label: 'Your Preferences', icon: IconAdjustments },
  { section: 'billing', label: 'Billing', icon: IconCreditCard },
  { section: 'invoices', label: 'Invoices', icon: IconReceipt },
];
