import * as admin from './admin.ts';
import * as apiKeys from './api-keys.ts';
import * as artifactSets from './artifact-sets.ts';
import * as artifactViews from './artifact-views.ts';
import * as artifacts from './artifacts.ts';
import * as auth from './auth.ts';
import * as blog from './blog.ts';
import * as connections from './connections.ts';
import * as connector from './connector.ts';
import * as devices from './devices.ts';
import * as filePasswords from './file-passwords.ts';
import * as folderSync from './folder-sync.ts';
import * as history from './history.ts';
import * as keywords from './keywords.ts';
import * as location from './location.ts';
import * as mailboxes from './mailboxes.ts';
import * as models from './models.ts';
import * as notes from './notes.ts';
import * as passkeys from './passkeys.ts';
import * as payments from './payments.ts';
import * as portability from './portability.ts';
import * as profile from './profile.ts';
import * as questionnaire from './questionnaire.ts';
import type { RouteDefinition } from './route.ts';
import * as search from './search.ts';
import * as securityEvents from './security-events.ts';
import * as sessions from './sessions.ts';
import * as shares from './shares.ts';
import * as subscription from './subscription.ts';
import { recommendedQuestions, suggestions } from './suggestions.ts';
import * as system from './system.ts';
import * as webhooks from './webhooks.ts';

export * from './admin.ts';
export * from './api-keys.ts';
export * from './artifact-sets.ts';
export * from './artifact-views.ts';
export * from './artifact.ts';
export * from './artifacts.ts';
export * from './auth.ts';
export * from './blog.ts';
export * from './connections.ts';
export * from './connector.ts';
export * from './devices.ts';
export { type ExampleCode, exampleCode } from './example-code.ts';
export * from './file-filter.ts';
export * from './file-passwords.ts';
export * from './file-type-lookup.ts';
export * from './file-types.ts';
export * from './folder-sync.ts';
export * from './history.ts';
export * from './keywords.ts';
export * from './limits.ts';
export * from './location.ts';
export * from './markdown-depth.ts';
export * from './mailboxes.ts';
export * from './models.ts';
export { buildDescribedOpenApi, buildOpenApi, FIELD_DESCRIPTION } from './openapi.ts';
export * from './notes.ts';
export * from './passkeys.ts';
export * from './payments.ts';
export * from './portability.ts';
export * from './profile.ts';
export * from './questionnaire.ts';
export * from './route.ts';
export * from './search.ts';
export * from './security-events.ts';
export * from './sessions.ts';
export * from './setting-defaults.ts';
export * from './shares.ts';
export * from './source-location.ts';
export * from './subscription.ts';
export * from './suggestions.ts';
export * from './system.ts';
export * from './values.ts';
export * from './webhooks.ts';

/** Whether an export of this package is a route. */
export const isRoute = (value: unknown): value is RouteDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'method' in value &&
  'path' in value &&
  'kind' in value;

/** The features of the API and their exports, in the order of its description. */
const features = {
  auth,
  sessions,
  passkeys,
  securityEvents,
  profile,
  questionnaire,
  admin,
  subscription,
  payments,
  apiKeys,
  connections,
  devices,
  connector,
  artifacts: {
    ...artifacts,
    ...filePasswords,
    ...notes,
    ...artifactViews,
    ...artifactSets,
    ...folderSync,
  },
  keywords,
  search,
  recommendations: { recommendedQuestions },
  suggestions: { suggestions },
  history,
  shares,
  webhooks,
  mailboxes,
  portability,
  location,
  blog,
  models,
  system,
};
export type Feature = keyof typeof features;

/** Every route of the API, by feature. */
export const routes: readonly RouteDefinition[] = Object.entries(features).flatMap(
  ([feature, exported]) =>
    Object.entries<unknown>(exported).flatMap(([name, value]) =>
      isRoute(value) ? [Object.assign(value, { id: `${feature}.${name}` })] : [],
    ),
);
