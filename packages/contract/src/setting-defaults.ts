/**
 * What holds where the operator has set nothing: the server's defaults, and what the web app goes
 * by until it knows its server's settings.
 */
export const settingDefaults = {
  /** Megabytes (2^20 bytes) that a file of the types whose size is that of media may have. */
  mediaLimitMb: 2,
  /** Megabytes (2^20 bytes) that any other file may have. */
  uploadLimitMb: 512,
  /** The zone in which days are counted and times are shown. */
  timeZone: 'America/Los_Angeles',
  /** What stands behind times of that zone. */
  timeZoneLabel: 'PST',
  /** Where plans are paid. */
  payments: 'sandbox',
} as const;
