import { z } from 'zod';
import { defineRoute } from './route.ts';

/** Degrees as a decimal number. */
const degrees = (max: number, message: string) =>
  z
    .string({ error: message })
    .regex(/^[+-]?\d{1,3}(?:\.\d{1,20})?$/u, { error: message })
    .transform(Number)
    .refine((value) => Math.abs(value) <= max, { error: message });

export const nameLocation = defineRoute('GET /location', {
  summary: 'The name of a position',
  // Called before sign-in, since the sign-in sends the name.
  auth: 'public',
  query: z.object({
    lat: degrees(90, 'The latitude must be a number of degrees from -90 to 90.'),
    lon: degrees(180, 'The longitude must be a number of degrees from -180 to 180.'),
  }),
  /** 'locality, region, country'; null without a name or a geocoder. */
  data: z.string().nullable(),
});
