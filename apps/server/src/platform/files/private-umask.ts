/**
 * What a process that writes to the data folder sets: whatever it or a child of it makes, by
 * whichever library, only its own user may open. Without effect on Windows.
 */
export const PRIVATE_UMASK = 0o077;
