/** The version of the published package. */
export const VERSION = '0.1.0';
