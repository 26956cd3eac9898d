/** Prefix of all that admins read; a change of credits makes it stale. */
export const adminKey = ['admin'] as const;
