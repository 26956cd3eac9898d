/** The cache's keys that more than one feature reads or marks as stale. */
export const queryKeys = {
  settings: ['settings'],
  profile: ['profile'],
  metrics: ['metrics'],
  billing: ['billing'],
  invoices: ['invoices'],
  keywords: ['keywords'],
  /** Prefix of everything about files: lists, counts, readiness. */
  artifacts: ['artifacts'],
  /** When this tab last uploaded something, in milliseconds since the epoch. */
  lastUpload: ['lastUpload'],
  /** Prefix of everything about past questions. */
  history: ['history'],
  securityEvents: ['security-events'],
  suggestions: ['suggestions'],
  recommendations: ['recommendations'],
} as const;
