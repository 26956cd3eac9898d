/** The umask of processes that write to the data folder: only their own user may open the files. */
export const PRIVATE_UMASK = 0o077;
