/** The defaults of settings, which the web app uses until it knows its server's. */
export const settingDefaults = {
  /** The size limit of media files in MiB. */
  mediaLimitMb: 2,
  /** The size limit of other files in MiB. */
  uploadLimitMb: 512,
  /** For daily limits and displayed times. */
  timeZone: 'America/Los_Angeles',
  /** Shown after times in that zone. */
  timeZoneLabel: 'PST',
  payments: 'sandbox',
} as const;
