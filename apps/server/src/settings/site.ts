import { settingDefaults } from '@engram/contract';
import { z } from 'zod';
import { list, matching, setting, url } from './setting.ts';

export const site = {
  timeZone: setting(
    'ENGRAM_TIME_ZONE',
    z
      .string()
      .refine((zone) => isTimeZone(zone), {
        error: 'must be an IANA time zone, such as Europe/Berlin',
      })
      .default(settingDefaults.timeZone),
    'Time zone in which days are counted and times are shown.',
  ),
  geocoder: setting(
    'ENGRAM_GEOCODER',
    url().optional(),
    'Server with the Nominatim API that finds place names for coordinates, such as https://nominatim.openstreetmap.org. Without it, locations have no names.',
  ),
  blogFeed: setting(
    'ENGRAM_BLOG_FEED',
    url().optional(),
    'RSS feed of the blog. Without it, the bundled posts are shown.',
  ),
  contactEmail: setting(
    'ENGRAM_CONTACT_EMAIL',
    z.email({ error: 'must be a mail address' }).optional(),
    'Mail address for the Contact link.',
  ),
  contactPhone: setting(
    'ENGRAM_CONTACT_PHONE',
    z.string().max(40).optional(),
    'Phone number on the contact page.',
  ),
  contactAddress: setting(
    'ENGRAM_CONTACT_ADDRESS',
    z.string().max(300).optional(),
    'Address on the contact page.',
  ),
  contactPosition: setting(
    'ENGRAM_CONTACT_POSITION',
    matching(
      /^-?\d{1,2}(?:\.\d+)?,\s*-?\d{1,3}(?:\.\d+)?$/u,
      'must be latitude and longitude, such as 52.5163,13.3777',
    )
      .transform((text) => {
        const [latitude = 0, longitude = 0] = text.split(',').map(Number);
        return { latitude, longitude };
      })
      .refine(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180, {
        error: 'must be a latitude up to 90 and a longitude up to 180',
      })
      .optional(),
    'Latitude and longitude of the address, such as 52.5163,13.3777. With them, the contact page shows a map by OpenStreetMap.',
  ),
  socialLinks: setting(
    'ENGRAM_SOCIAL_LINKS',
    list(),
    'Links in the footer as Name=https://address, separated by commas.',
  ),
} as const;

function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }));
  } catch {
    return false;
  }
}
