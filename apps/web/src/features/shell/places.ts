import { DELETE_ACCOUNT, paths } from '../../app/paths.ts';

/** Where `g` and a second key lead to. */
export const places: Record<string, { to: string; label: string }> = {
  s: { to: paths.search, label: 'Search' },
  h: { to: paths.history, label: 'History' },
  k: { to: paths.keywords, label: 'Keywords' },
  f: { to: paths.files, label: 'Files' },
  d: { to: paths.documentation, label: 'Doc' },
  p: { to: paths.profile, label: 'My Profile' },
  a: { to: paths.api, label: 'Api' },
};

/** Where the header's icon and the menu's row lead to. */
export const deleteAccount = { pathname: paths.profile, hash: DELETE_ACCOUNT };
