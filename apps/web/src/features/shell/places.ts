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

/** A page of the app, as its menus name it. */
export interface Place {
  to: string;
  label: string;
  icon: Icon;
  /** What leads there after `g`. */
  key: string;
}

/** The pages of the app, in the order of its menus. */
export const places: readonly Place[] = [
  { to: paths.search, label: 'Search', icon: IconSearch, key: 's' },
  { to: paths.history, label: 'History', icon: IconClock, key: 'h' },
  { to: paths.keywords, label: 'Keywords', icon: IconTag, key: 'k' },
  { to: paths.files, label: 'Files', icon: IconFile, key: 'f' },
  { to: paths.documentation, label: 'Doc', icon: IconBook, key: 'd' },
  { to: paths.profile, label: 'My Profile', icon: IconUser, key: 'p' },
  { to: paths.api, label: 'Api', icon: IconKey, key: 'a' },
];

/** Where the header's icon and the menu's row lead to. */
export const deleteAccount = { pathname: paths.profile, hash: DELETE_ACCOUNT };
