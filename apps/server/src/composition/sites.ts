import { createBlogService } from '../features/blog/blog.service.ts';
import { createLocationService } from '../features/location/location.service.ts';
import type { Core } from './core.ts';

/** Positions that one network may have looked up: one in two seconds in the long run, 20 at once. */
const LOOK_UP_LIMIT = { perSecond: 0.5, burst: 20 };

/** The public Nominatim's policy: at most one request a second. */
const GEOCODER_PACE = { perSecond: 1, burst: 1 };

/** What is read from sites of others: the blog's feed, and the names of places. */
export function createSites({ config, limits, providers, version, log, now }: Core) {
  const { outside } = providers;
  const { blogFeed: feed, geocoder } = config;
  const userAgent = `Engram/${version}${config.publicUrl ? ` (${config.publicUrl})` : ''}`;
  return {
    blog: createBlogService({ feed, userAgent, outside: outside(feed), log, now }),
    location: createLocationService({
      ...outside(geocoder),
      geocoder,
      userAgent,
      log,
      limit: limits.limitOf('named places', LOOK_UP_LIMIT),
      pace: limits.paceOf('geocoder', GEOCODER_PACE),
    }),
  };
}
